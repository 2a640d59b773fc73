import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

import { saveProfile, userQuery, type User } from '@/api/user'
import { FailedLine } from '@/forms/failed'
import { failureText } from '@/i18n/message-texts'
import { formatHryvnias, type Kopiykas } from '@/lib/money'
import { compact } from '@/lib/text'
import { useLocale } from '@/lib/use-locale'
import { Button, buttonClass } from '@/ui/button'
import { focusHeading } from '@/ui/focus-heading'
import { Notice } from '@/ui/notice'
import { showToast } from '@/ui/toast'

import type { OwnAccount } from '../values'
import { useUndo, type UndoOptions } from './use-undo'

/** A payment that has just been added. */
export interface Added {
  readonly itemId: string
  readonly clientName: string
  readonly sum: Kopiykas | null
}

interface AddedNoticeProps extends UndoOptions {
  readonly added: Added
  /** Whether the form was emptied. Otherwise the focus stays where somebody is typing. */
  readonly takesFocus: boolean
  readonly onSameClient: () => void
  /** The account that was typed while the profile has none. */
  readonly newAccount: OwnAccount | null
  readonly user: User
}

/** Confirms that the payment is in the cart, and offers the next steps. */
export function AddedNotice({
  added,
  takesFocus,
  onSameClient,
  newAccount,
  user,
  ...undoing
}: AddedNoticeProps) {
  const { i18n } = useLingui()
  const locale = useLocale()
  const undo = useUndo(added.itemId, undoing)
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
            <Button size="small" loading={undo.isPending} onClick={undo.start}>
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
        {newAccount !== null && <KeepAccount account={newAccount} user={user} />}
        {undo.error !== null && <p className="text-danger">{failureText(undo.error, i18n)}</p>}
      </Notice>
    </div>
  )
}

/** Offers to save the notary's account, which was typed into the payment, in the profile. */
function KeepAccount({ account, user }: { readonly account: OwnAccount; readonly user: User }) {
  const { t } = useLingui()
  const queryClient = useQueryClient()
  const saving = useMutation({
    mutationFn: () =>
      saveProfile({
        full_name: user.full_name,
        registry_identifier: user.registry_identifier,
        iban: compact(account.ownIban),
        okpo: compact(account.ownOkpo),
      }),
    onSuccess: (saved) => {
      queryClient.setQueryData(userQuery().queryKey, saved)
      showToast({ text: t`Рахунок збережено в картці нотаріуса` })
      // The pressed button disappears.
      focusHeading()
    },
  })
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-2">
      <p>
        <Trans>Рахунку для 60 % у картці нотаріуса ще немає. Зберегти введений, щоб не вводити знову?</Trans>
      </p>
      <Button size="small" loading={saving.isPending} onClick={() => saving.mutate()}>
        <Trans>Зберегти рахунок</Trans>
      </Button>
      <FailedLine failure={saving.error} />
    </div>
  )
}
