import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'

import { Refusal } from '@/api/failure'
import { failureText } from '@/i18n/message-texts'
import { Button } from '@/ui/button'
import { cx } from '@/ui/cx'
import { Notice } from '@/ui/notice'

interface FailedProps {
  /** Nothing is shown of null. */
  readonly failure: unknown
  readonly title?: ReactNode
  /** The words of the button that tries again. */
  readonly retry?: ReactNode
  readonly retrying?: boolean
  readonly onRetry?: () => void
  readonly className?: string
}

/** A notice that says why something failed. */
export function Failed({ failure, title, retry, retrying = false, onRetry, className = '' }: FailedProps) {
  const { i18n } = useLingui()
  if (failure === null) return null
  return (
    <Notice
      tone="error"
      title={title}
      className={className}
      actions={
        retry && (
          <Button size="small" icon="refresh" loading={retrying} onClick={onRetry}>
            {retry}
          </Button>
        )
      }
    >
      {failureText(failure, i18n)}
    </Notice>
  )
}

/** A line that says why an action failed. */
export function FailedLine({ failure, className }: Pick<FailedProps, 'failure' | 'className'>) {
  const { i18n } = useLingui()
  if (failure === null) return null
  return (
    <p role="alert" className={cx('text-danger', className)}>
      {failureText(failure, i18n)}
    </p>
  )
}

interface NotDoneProps extends Pick<FailedProps, 'failure' | 'className'> {
  /** What a form shows at none of its fields. */
  readonly rest?: readonly unknown[]
  /** The title where it was refused. */
  readonly refused?: ReactNode
  /** The title where it may have been done, and what is to be done then. */
  readonly unknown: ReactNode
  readonly again?: ReactNode
}

/** A notice that says why something was not done, or that this is not known. */
export function NotDone({ failure, rest, refused, unknown, again, className = '' }: NotDoneProps) {
  const { i18n } = useLingui()
  if (failure === null && !rest?.length) return null
  const isCertain = failure === null || failure instanceof Refusal
  return (
    <Notice tone="error" title={isCertain ? refused : unknown} className={className}>
      {failure !== null && failureText(failure, i18n)}
      {!isCertain && again && <>. {again}</>}
    </Notice>
  )
}
