import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { cardFiguresQuery } from '@/api/card-figures'
import { Failed } from '@/forms/failed'
import { later } from '@/lib/later'
import { Sheet } from '@/ui/sheet'
import { Skeleton } from '@/ui/skeleton'

/** Its fields are no part of what the page loads first. */
const FiguresForm = later(async () => (await import('./card-figures-form')).FiguresForm)

/** Up to what sum a day saved cards pay without a proof, and from what sum the notary is told. */
export function CardFigures() {
  const figures = useQuery({ ...cardFiguresQuery(), retryOnMount: false })
  return (
    <Sheet heading={<Trans>Збережені картки</Trans>}>
      {figures.isPending && <Waiting />}
      {figures.isError && figures.data === undefined && (
        <Failed
          failure={figures.error}
          title={<Trans>Суми для збережених карток не вдалося завантажити</Trans>}
          retry={<Trans>Спробувати ще раз</Trans>}
          retrying={figures.isFetching}
          onRetry={() => void figures.refetch()}
        />
      )}
      <Suspense fallback={<Waiting />}>{figures.data && <FiguresForm figures={figures.data} />}</Suspense>
    </Sheet>
  )
}

function Waiting() {
  const { t } = useLingui()
  return (
    <div role="status" aria-label={t`Завантаження…`} className="flex flex-col gap-3">
      <Skeleton className="h-12 w-72 max-w-full" />
      <Skeleton className="h-12 w-72 max-w-full" />
    </div>
  )
}
