import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

import { failureText } from '@/i18n/message-texts'
import { formatHryvnias, type Kopiykas } from '@/lib/money'
import { useLocale } from '@/lib/use-locale'
import { Button, buttonClass } from '@/ui/button'
import { Notice } from '@/ui/notice'

/** A payment that has just been added. */
export interface Added {
  readonly itemId: string
  readonly clientName: string
  readonly sum: Kopiykas | null
}

interface AddedNoticeProps {
  readonly added: Added
  /** Whether the form was emptied. Otherwise the focus stays where somebody is typing. */
  readonly takesFocus: boolean
  readonly onSameClient: () => void
  readonly onUndo: () => void
  readonly undoing: boolean
  readonly undoFailure: Error | null
}

/** Confirms that the payment is in the cart, and offers the next steps. */
export function AddedNotice({
  added,
  takesFocus,
  onSameClient,
  onUndo,
  undoing,
  undoFailure,
}: AddedNoticeProps) {
  const { i18n } = useLingui()
  const locale = useLocale()
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!takesFocus) return
    ref.current?.focus({ preventScroll: true })
    ref.current?.scrollIntoView({ block: 'nearest' })
  }, [added.itemId, takesFocus])

  const { clientName } = added
  const sum = added.sum === null ? null : formatHryvnias(added.sum, locale)
  return (
    <div ref={ref} tabIndex={-1} role="status" className="outline-offset-4">
      <Notice
        tone="success"
        title={<Trans>Платіж додано до кошика</Trans>}
        actions={
          <>
            <Link to="/cart" className={buttonClass({ variant: 'primary', size: 'small' })}>
              <Trans>До кошика</Trans>
            </Link>
            <Button size="small" icon="plus" onClick={onSameClient}>
              <Trans>Ще один платіж цього клієнта</Trans>
            </Button>
            <Button size="small" loading={undoing} onClick={onUndo}>
              <Trans>Скасувати додавання</Trans>
            </Button>
          </>
        }
      >
        <p>
          {sum === null ? (
            clientName
          ) : (
            <Trans>
              {clientName}, {sum}
            </Trans>
          )}
        </p>
        {undoFailure !== null && <p className="text-danger">{failureText(undoFailure, i18n)}</p>}
      </Notice>
    </div>
  )
}
