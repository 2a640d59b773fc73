import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'

import { failureText } from '@/i18n/message-texts'
import { Notice } from '@/ui/notice'

import { isLost } from './outcome'

interface PayFailureProps {
  readonly failure: unknown
  readonly actions?: ReactNode
}

/**
 * Why no order was made, and whether that is certain. Where it is not, nothing may invite to pay another way: the same
 * button asks for the same order.
 */
export function PayFailure({ failure, actions }: PayFailureProps) {
  const { i18n } = useLingui()
  if (isLost(failure)) {
    return (
      <Notice tone="warn" announce title={<Trans>Відповіді від сервера немає</Trans>} actions={actions}>
        <p>{failureText(failure, i18n)}</p>
        <p>
          <Trans>
            Можливо, замовлення вже створено. Спробуйте ще раз: повтор не створить другого платежу. Не
            сплачуйте цей платіж іншим способом, поки не побачите його стан в архіві.
          </Trans>
        </p>
      </Notice>
    )
  }
  return (
    <Notice tone="error" title={<Trans>Замовлення не створено, гроші не списано</Trans>} actions={actions}>
      {failureText(failure, i18n)}
    </Notice>
  )
}
