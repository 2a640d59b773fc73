import { Trans, useLingui } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Suspense, useEffect, useRef, useState } from 'react'

import { Refusal } from '@/api/failure'
import { queryClient } from '@/api/query-client'
import { reportQuery, type DayBasis, type Days, type Figures, type Report } from '@/api/reports'
import { userQuery } from '@/api/user'
import { Failed } from '@/forms/failed'
import { messageText } from '@/i18n/message-texts'
import { kyivDate } from '@/lib/dates'
import { later } from '@/lib/later'
import { buttonClass } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { announce } from '@/ui/live-region'
import { PageHeading } from '@/ui/page-heading'
import { Sheet } from '@/ui/sheet'
import { Skeleton } from '@/ui/skeleton'

import { Books } from './books'
import { Kinds, Totals } from './figures'
import { Months } from './months'
import { PeriodBar } from './period-bar'
import { daysIn, type ReportSearch } from './periods'

const Statement = later(async () => (await import('./statement/load')).loadStatement())

const reportsRoute = getRouteApi('/signed-in/payments/reports')

/** Starts loading the report, but does not wait for it: the page shows the loading and a failure itself. */
export function loader({ deps }: { readonly deps: ReportSearch }): Promise<void> {
  void queryClient.prefetchQuery(reportQuery(daysIn(deps, kyivDate(new Date())), deps.by ?? 'payment'))
  return Promise.resolve()
}

/** The reports: what was paid in a period, where the notary's share stands, and the books. */
export default function ReportsPage() {
  const search = reportsRoute.useSearch()
  const navigate = reportsRoute.useNavigate()
  const [today] = useState(() => kyivDate(new Date()))
  const days = daysIn(search, today)
  const by = search.by ?? 'payment'
  const report = useQuery({
    ...reportQuery(days, by),
    placeholderData: keepPreviousData,
    retryOnMount: false,
  })
  const { data: user } = useQuery(userQuery())
  const total = report.data?.total
  const hasShare = user?.notary_status !== 'state' || (total !== undefined && hasOwn(total))
  useAnnouncedReport(report.isPlaceholderData ? undefined : report.data)
  return (
    <div className="flex flex-col gap-6">
      <PageHeading>
        <Trans>Звіти</Trans>
      </PageHeading>
      <PeriodBar
        days={days}
        by={by}
        today={today}
        refused={{ from: refusalOf(report.error, 'from'), to: refusalOf(report.error, 'to') }}
        onChange={(next) => void navigate({ to: '/reports', search: next, resetScroll: false })}
      />
      {report.isPending && <Waiting />}
      {report.isError && (
        <Failed
          failure={report.error}
          title={<Trans>Звіт не вдалося завантажити</Trans>}
          // The same days would be refused again.
          retry={!isRefused(report.error) && <Trans>Спробувати ще раз</Trans>}
          retrying={report.isFetching}
          onRetry={() => void report.refetch()}
        />
      )}
      {report.isSuccess && (
        <div
          aria-busy={report.isPlaceholderData || undefined}
          className={report.isPlaceholderData ? 'flex flex-col gap-6 opacity-60' : 'flex flex-col gap-6'}
        >
          <ShownReport report={report.data} hasShare={hasShare} />
        </div>
      )}
      {/* Below the report, so that it does not move when the report comes. */}
      {!report.isPending && <Books days={days} hasShare={hasShare} />}
      {!report.isPending && hasShare && (
        <Suspense>
          <Statement />
        </Suspense>
      )}
    </div>
  )
}

/** The figures of a report, or that there are none. */
function ShownReport({ report, hasShare }: { readonly report: Report; readonly hasShare: boolean }) {
  if (isEmpty(report.total)) return <Nothing by={report.by} />
  return (
    <>
      <Totals report={report} hasShare={hasShare} />
      <Kinds report={report} />
      <Months report={report} hasShare={hasShare} />
    </>
  )
}

/** The text of the first refusal of a day, if it was refused. */
function refusalOf(error: Error | null, day: keyof Days): string | undefined {
  const key = error instanceof Refusal ? error.errors[day]?.[0] : undefined
  return key && messageText(key)
}

/** Whether the server has refused the days. */
const isRefused = (error: Error) => error instanceof Refusal && Object.keys(error.errors).length > 0

/** Announces a report of another period or day, but not the first one. */
function useAnnouncedReport(report: Report | undefined) {
  const { t } = useLingui()
  const said = useRef<string>(undefined)
  useEffect(() => {
    if (report === undefined) return
    const { from, to, by, total } = report
    const period = `${from} ${to} ${by}`
    if (said.current !== undefined && said.current !== period) {
      announce(isEmpty(total) ? t`Звіт оновлено: за цей період даних немає` : t`Звіт оновлено`)
    }
    said.current = period
  }, [report, t])
}

/** Whether the notary's share is in the report. */
const hasOwn = ({ own_planned, own_sent, own_credited, own_returned }: Figures) =>
  own_planned + own_sent + own_credited + own_returned > 0

function isEmpty(total: Figures): boolean {
  return total.count === 0 && total.refunded_count === 0 && total.codes_count === 0 && total.returned === 0
}

function Waiting() {
  const { t } = useLingui()
  return (
    <div role="status" aria-label={t`Завантаження…`} className="grid gap-6 lg:grid-cols-2">
      {['first', 'second'].map((key) => (
        <Sheet key={key}>
          <div className="flex flex-col gap-4">
            <Skeleton className="h-6 w-40" />
            <Skeleton className="h-24" />
          </div>
        </Sheet>
      ))}
    </div>
  )
}

function Nothing({ by }: { readonly by: DayBasis }) {
  return (
    <Sheet>
      <EmptyState
        icon="receipt"
        title={
          by === 'crediting' ? (
            <Trans>За цей період нічого не зараховано й не повернено</Trans>
          ) : (
            <Trans>За цей період платежів немає</Trans>
          )
        }
        actions={
          <Link to="/" className={buttonClass({ variant: 'primary' })}>
            <Trans>Створити платіж</Trans>
          </Link>
        }
      >
        <Trans>Виберіть інший період або створіть платіж.</Trans>
      </EmptyState>
    </Sheet>
  )
}
