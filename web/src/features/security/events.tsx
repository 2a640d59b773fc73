import { Trans, useLingui } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { securityEventsQuery, type SecurityEvent } from '@/api/security'
import { Failed } from '@/forms/failed'
import { longMoment } from '@/lib/dates'
import { useLocale } from '@/lib/use-locale'
import { cx } from '@/ui/cx'
import { EmptyState } from '@/ui/empty-state'
import { Icon } from '@/ui/icons'
import { LoadMore } from '@/ui/load-more'
import { Sheet } from '@/ui/sheet'
import { Skeleton } from '@/ui/skeleton'
import { actorOf, changesOf, iconOf, isUnusual, titleOf } from './event-texts'

const useEvents = () => useInfiniteQuery({ ...securityEventsQuery(), retryOnMount: false })

/** What happened to the account, the newest first. */
export function Events() {
  const events = useEvents()
  const shown = events.data?.pages.flatMap((page) => page.events) ?? []
  return (
    <Sheet heading={<Trans>Що відбувалося</Trans>}>
      {events.isPending && <Waiting />}
      {shown.length > 0 && (
        <ol className="flex flex-col">
          {shown.map((event) => (
            <EventRow key={event.id} event={event} />
          ))}
        </ol>
      )}
      {events.isSuccess && shown.length === 0 && (
        <EmptyState icon="info" title={<Trans>Подій ще немає</Trans>}>
          <Trans>Тут з’являться входи до кабінету, неправильні коди та зміни облікового запису.</Trans>
        </EmptyState>
      )}
      {events.isError && (
        <Failed
          failure={events.error}
          title={<Trans>Події не вдалося завантажити</Trans>}
          retry={<Trans>Спробувати ще раз</Trans>}
          retrying={events.isFetching}
          onRetry={() => void (events.isFetchNextPageError ? events.fetchNextPage() : events.refetch())}
        />
      )}
      {shown.length > 0 && !events.isError && (
        <LoadMore
          hasMore={events.hasNextPage}
          loading={events.isFetchingNextPage}
          automatic={false}
          onMore={() => void events.fetchNextPage()}
        />
      )}
    </Sheet>
  )
}

function EventRow({ event }: { readonly event: SecurityEvent }) {
  const { i18n } = useLingui()
  const locale = useLocale()
  const unusual = isUnusual(event)
  const actor = actorOf(event)
  const details = [actor === null ? null : i18n._(actor), event.browser, event.network].filter(
    (detail) => detail !== null,
  )
  return (
    <li className="flex gap-3 border-b border-rule py-4 first:pt-0">
      <Icon
        name={iconOf(event)}
        className={cx('mt-0.5 shrink-0', unusual ? 'text-caution' : 'text-ink-soft')}
      />
      <div className="flex min-w-0 flex-col gap-1">
        <p className={cx('font-medium', unusual && 'text-caution')}>{i18n._(titleOf(event))}</p>
        {changesOf(event, i18n).map((change) => (
          <p key={change} className="text-sm break-words">
            {change}
          </p>
        ))}
        <p className="text-sm text-ink-soft">
          <time dateTime={event.created_at}>{longMoment(event.created_at, locale)}</time>
          {details.map((detail) => (
            // The dot stays at the end of the line before.
            <Fragment key={detail}>
              {'\u00A0· '}
              <span className="inline-block">{detail}</span>
            </Fragment>
          ))}
        </p>
      </div>
    </li>
  )
}

function Waiting() {
  const { t } = useLingui()
  return (
    <div role="status" aria-label={t`Завантаження…`} className="flex flex-col gap-6">
      {['first', 'second', 'third'].map((key) => (
        <div key={key} className="flex flex-col gap-2">
          <Skeleton className="h-5 w-64 max-w-full" />
          <Skeleton className="h-4 w-80 max-w-full" />
        </div>
      ))}
    </div>
  )
}
