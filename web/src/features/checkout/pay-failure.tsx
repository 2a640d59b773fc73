import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

import { isFailure, NetworkFailure } from '@/api/failure'
import { failureText } from '@/i18n/message-texts'
import { buttonClass } from '@/ui/button'
import { Notice } from '@/ui/notice'

import type { PayOutcome } from './outcome'

interface PayFailureProps {
  readonly failure: unknown
  readonly outcome: PayOutcome
  /** What can be done at once where nothing was sent. */
  readonly actions?: ReactNode
}

/**
 * Shows why no order is known and whether that is certain. If it is not, nothing may suggest another way to pay: the
 * same button repeats the request for the same order.
 */
export function PayFailure({ failure, outcome, actions }: PayFailureProps) {
  const { i18n } = useLingui()
  switch (outcome) {
    case 'nothing-sent':
      return (
        <Notice
          tone="error"
          title={<Trans>Замовлення не створено, кошти не списано</Trans>}
          actions={actions}
        >
          {failureText(failure, i18n)}
        </Notice>
      )
    case 'ordered-elsewhere':
      return (
        <Notice tone="warn" announce="at-once" title={failureText(failure, i18n)} actions={<ToArchive />}>
          <Trans>
            Якщо ці платежі оформлено в іншому вікні, замовлення є в архіві. Перевірте архів, перш ніж
            сплачувати знову.
          </Trans>
        </Notice>
      )
    case 'unknown':
      return (
        <Notice
          tone="warn"
          announce="at-once"
          title={
            failure instanceof NetworkFailure ? (
              <Trans>Сервер не відповів</Trans>
            ) : (
              <Trans>Чи створено замовлення, ще невідомо</Trans>
            )
          }
          actions={<ToArchive />}
        >
          {isFailure(failure) && <p>{failureText(failure, i18n)}.</p>}
          <p>
            <Trans>
              Можливо, замовлення вже створено. Спробуйте ще раз: повторна спроба не створить другого
              замовлення. Не сплачуйте іншим способом, доки не побачите статус замовлення в архіві.
            </Trans>
          </p>
        </Notice>
      )
  }
}

function ToArchive() {
  return (
    <Link to="/archive" className={buttonClass({ size: 'small' })}>
      <Trans>До архіву</Trans>
    </Link>
  )
}
