import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'

import { failureText } from '@/i18n/message-texts'
import { Button } from '@/ui/button'
import { Notice } from '@/ui/notice'
import { Skeleton } from '@/ui/skeleton'

interface LoadFailureProps {
  readonly title: ReactNode
  readonly error: Error
  readonly loading: boolean
  readonly onRetry: () => void
}

export function LoadFailure({ title, error, loading, onRetry }: LoadFailureProps) {
  const { i18n } = useLingui()
  return (
    <Notice
      tone="error"
      title={title}
      actions={
        <Button size="small" icon="refresh" loading={loading} onClick={onRetry}>
          <Trans>Спробувати ще раз</Trans>
        </Button>
      }
    >
      {failureText(error, i18n)}
    </Notice>
  )
}

export function Waiting() {
  const { t } = useLingui()
  return (
    <div role="status" aria-label={t`Завантаження…`} className="flex min-h-38 flex-col gap-3">
      <Skeleton className="h-5 w-64 max-w-full" />
      <Skeleton className="h-4 w-48 max-w-full" />
      <Skeleton className="h-5 w-56 max-w-full" />
      <Skeleton className="h-4 w-48 max-w-full" />
    </div>
  )
}
