import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { cardFiguresQuery } from '@/api/card-figures'
import { failureText } from '@/i18n/message-texts'
import { later } from '@/lib/later'
import { Button } from '@/ui/button'
import { Notice } from '@/ui/notice'
import { Sheet } from '@/ui/sheet'
import { Skeleton } from '@/ui/skeleton'

/** Its fields are no part of what the page loads first. */
const FiguresForm = later(async () => (await import('./card-figures-form')).FiguresForm)

/** Up to what sum a day saved cards pay without a proof, and from what sum the notary is told. */
export function CardFigures() {
  const { i18n } = useLingui()
  const figures = useQuery({ ...cardFiguresQuery(), retryOnMount: false })
  return (
    <Sheet heading={<Trans>Збережені картки</Trans>}>
      {figures.isPending && <Waiting />}
      {figures.isError && figures.data === undefined && (
        <Notice
          tone="error"
          title={<Trans>Суми для збережених карток не вдалося завантажити</Trans>}
          actions={
            <Button
              size="small"
              icon="refresh"
              loading={figures.isFetching}
              onClick={() => void figures.refetch()}
            >
              <Trans>Спробувати ще раз</Trans>
            </Button>
          }
        >
          {failureText(figures.error, i18n)}
        </Notice>
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
