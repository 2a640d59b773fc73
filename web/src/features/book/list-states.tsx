import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'

import { Failed } from '@/forms/failed'
import { Skeleton } from '@/ui/skeleton'

interface LoadFailureProps {
  readonly title: ReactNode
  readonly error: Error
  readonly loading: boolean
  readonly onRetry: () => void
}

export function LoadFailure({ title, error, loading, onRetry }: LoadFailureProps) {
  return (
    <Failed
      failure={error}
      title={title}
      retry={<Trans>Спробувати ще раз</Trans>}
      retrying={loading}
      onRetry={onRetry}
    />
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
