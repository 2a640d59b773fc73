import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'

import { NotDone } from '@/forms/failed'

interface FailedProps {
  readonly error: Error | null
  /** What is said where the server has not refused, so that it may have been done. */
  readonly unknown: ReactNode
  /** What is said of a refusal instead of the usual. */
  readonly refused?: ReactNode
}

/** Why an action failed, if it did, and whether that is certain. */
export function Failed({ error, unknown, refused }: FailedProps) {
  return <NotDone failure={error} refused={refused ?? <Trans>Дію не виконано</Trans>} unknown={unknown} />
}
