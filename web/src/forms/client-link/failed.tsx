import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'

import { Refusal } from '@/api/failure'
import { failureText } from '@/i18n/message-texts'
import { Notice } from '@/ui/notice'

interface FailedProps {
  readonly error: Error | null
  /** What is said where the server has not refused, so that it may have been done. */
  readonly unknown: ReactNode
  /** What is said of a refusal instead of the usual. */
  readonly refused?: ReactNode
}

/** Why an action failed, if it did, and whether that is certain. */
export function Failed({ error, unknown, refused }: FailedProps) {
  const { i18n } = useLingui()
  if (error === null) return null
  return (
    <Notice
      tone="error"
      title={error instanceof Refusal ? (refused ?? <Trans>Дію не виконано</Trans>) : unknown}
    >
      {failureText(error, i18n)}
    </Notice>
  )
}
