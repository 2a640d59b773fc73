import { Trans, useLingui } from '@lingui/react/macro'
import { keepPreviousData, useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useLocation, type HistoryState } from '@tanstack/react-router'
import { Suspense, useEffect, useRef, useState } from 'react'

import { ordersQuery, type Order, type OrderFilter } from '@/api/orders'
import { queryClient } from '@/api/query-client'
import { userQuery } from '@/api/user'
import { Failed } from '@/forms/failed'
import { later } from '@/lib/later'
import type { Days } from '@/lib/periods'
import { Button, buttonClass } from '@/ui/button'
import { Checkbox } from '@/ui/checkbox'
import { cx } from '@/ui/cx'
import { EmptyState } from '@/ui/empty-state'
import { announce } from '@/ui/live-region'
import { LoadMore } from '@/ui/load-more'
import { PageHeading } from '@/ui/page-heading'
import { Sheet } from '@/ui/sheet'
import { Skeleton } from '@/ui/skeleton'

import { hasReceipts, useChosen } from './chosen'
import { filterOf, isFiltered, withPart, type ArchiveSearch } from './filter'
import { FilterBar } from './filter-bar'
import { useOpened } from './opened'
import { OrderColumns, OrderRow } from './order-row'
import { stateWithText, textOf } from './search-text'

const ChosenBar = later(async () => (await import('./chosen-bar')).ChosenBar)
const ExportOrders = later(async () => (await import('./export-orders')).ExportOrders)

const archiveRoute = getRouteApi('/signed-in/payments/archive')

interface LoaderContext {
  readonly deps: ArchiveSearch
  readonly location: { readonly state: HistoryState }
}

/**
 * Starts loading the list, but does not wait for it: the page shows the loading and the failure itself, with the filter
 * in use.
 */
export async function loader({ deps, location }: LoaderContext): Promise<void> {
  // The rows need it as soon as they come.
  void import('./row-actions').catch(() => undefined)
  const { id: notaryId } = await queryClient.ensureQueryData(userQuery())
  void queryClient.prefetchInfiniteQuery(ordersQuery(filterOf(deps, textOf(location.state, notaryId))))
}

/** The archive: all orders, newest first. */
export default function ArchivePage() {
  const { address, text, change, period, search, reset } = useFilter()
  const filter = filterOf(address, text)
  const filterBar = useRef<HTMLFormElement>(null)
  const [resets, setResets] = useState(0)
  function resetHere() {
    reset()
    setResets(resets + 1)
    // The pressed button disappears, so the focus moves to the filter.
    filterBar.current?.focus()
  }
  const orders = useOrders(filter)
  const shown = orders.data?.pages.flatMap((page) => page.orders) ?? []
  const opened = useOpened()
  const chosen = useChosen(shown)
  useAnnouncedResult(
    orders.isPlaceholderData || orders.isPending ? null : shown.length,
    JSON.stringify(filter),
  )

  return (
    <div data-wide-page="" className="flex flex-col gap-3">
      <PageHeading
        aside={<HeadActions orders={orders} shown={shown} filter={filter} opened={opened} chosen={chosen} />}
      >
        <Trans>Архів</Trans>
      </PageHeading>
      <FilterBar
        ref={filterBar}
        address={address}
        text={text ?? ''}
        onChange={change}
        onPeriod={period}
        onSearch={search}
        onReset={resetHere}
        resets={resets}
      />
      {orders.isPending && <Waiting />}
      {orders.isError && (
        <Failed
          failure={orders.error}
          title={<Trans>Архів не вдалося завантажити</Trans>}
          retry={<Trans>Спробувати ще раз</Trans>}
          retrying={orders.isFetching}
          onRetry={() => void (orders.isFetchNextPageError ? orders.fetchNextPage() : orders.refetch())}
        />
      )}
      {orders.isSuccess && shown.length === 0 && (
        <Nothing filtered={isFiltered(filter)} onReset={resetHere} />
      )}
      <OrderList orders={orders} shown={shown} opened={opened} chosen={chosen} />
    </div>
  )
}

/** What is done with all orders of the list. */
function HeadActions({
  orders,
  shown,
  filter,
  opened,
  chosen,
}: OrderListProps & { readonly filter: OrderFilter }) {
  return (
    // As large as its buttons, so that nothing moves when they come.
    <div className="flex min-h-9 flex-wrap items-center gap-x-4 gap-y-2 print:hidden">
      {shown.length > 0 && <SkipToList />}
      {(orders.isPending || shown.length > 0) && (
        <Checkbox
          label={<Trans>Показувати платежі</Trans>}
          checked={opened.all}
          onChange={({ target }) => opened.showAll(target.checked)}
          className="-my-2"
        />
      )}
      <Suspense
        fallback={
          <>
            <ChosenBarGap />
            <div className="h-9 w-60" />
          </>
        }
      >
        {orders.isPending && <ChosenBarGap />}
        {shown.some(hasReceipts) && (
          <ChosenBar chosen={chosen.chosen} filter={filter} onChoose={chosen.chooseAll} />
        )}
        <ExportOrders
          filter={filter}
          nothing={orders.isSuccess && !orders.isPlaceholderData && shown.length === 0}
        />
      </Suspense>
    </div>
  )
}

/** The filter: in the address, and its personal part in the history entry. */
function useFilter() {
  const address = archiveRoute.useSearch()
  const { id: notaryId } = useSuspenseQuery(userQuery()).data
  const textIn = (state: HistoryState) => textOf(state, notaryId)
  const text = useLocation({ select: ({ state }) => textIn(state) })
  const navigate = archiveRoute.useNavigate()
  // A change is applied to the current filter, not to the rendered one, since the text search is delayed.
  const go = (
    next: (now: ArchiveSearch) => ArchiveSearch,
    sought: (now: string | undefined) => string | undefined,
    replace: boolean,
  ) =>
    void navigate({
      to: '/archive',
      search: next,
      state: (now) => stateWithText(sought(textIn(now)), notaryId),
      replace,
      resetScroll: false,
    })
  return {
    address,
    text,
    change: (part: 'status' | 'from' | 'to', value: string, again: boolean) =>
      go(
        (now) => withPart(now, part, value),
        (now) => now,
        again,
      ),
    period: (days: Days | null) =>
      go(
        ({ from: _from, to: _to, ...others }) => ({ ...others, ...days }),
        (now) => now,
        false,
      ),
    // Not an entry for every letter, which would make Back useless.
    search: (typed: string) =>
      go(
        (now) => now,
        () => typed,
        true,
      ),
    reset: () =>
      go(
        ({ open }) => (open === undefined ? {} : { open }),
        () => undefined,
        false,
      ),
  }
}

/** The loaded orders of the filter. Those of the filter before stay until they are replaced. */
function useOrders(filter: ReturnType<typeof filterOf>) {
  return useInfiniteQuery({
    ...ordersQuery(filter),
    placeholderData: keepPreviousData,
    // The loader has just tried; the person retries after a failure.
    retryOnMount: false,
  })
}

/** Announces the result of a changed filter, but not the first result. */
function useAnnouncedResult(count: number | null, filter: string) {
  const { t } = useLingui()
  const said = useRef(filter)
  useEffect(() => {
    if (count === null || said.current === filter) return
    said.current = filter
    announce(count === 0 ? t`Нічого не знайдено` : t`Список оновлено, показано замовлень: ${count}`)
  }, [count, filter, t])
}

interface OrdersProps {
  readonly orders: ReturnType<typeof useOrders>
}

/** Room for the button that chooses all that is paid. */
function ChosenBarGap() {
  return <div className="h-9 w-44" />
}

const LIST_ID = 'orders'

/** Leads past the filter, which has more stops of the Tab key than a screen has rows. It is seen while it has the focus. */
function SkipToList() {
  return (
    <button
      type="button"
      onClick={() => {
        const list = document.getElementById(LIST_ID)
        list?.focus({ preventScroll: true })
        list?.scrollIntoView()
      }}
      className={cx(buttonClass({ size: 'small' }), 'not-focus:sr-only self-start')}
    >
      <Trans>До списку замовлень</Trans>
    </button>
  )
}

interface OrderListProps extends OrdersProps {
  readonly shown: readonly Order[]
  readonly opened: ReturnType<typeof useOpened>
  readonly chosen: ReturnType<typeof useChosen>
}

/** The orders, and what follows under a list that is not empty. */
function OrderList({ orders, shown, opened, chosen }: OrderListProps) {
  const { t } = useLingui()
  return (
    <>
      <div
        id={LIST_ID}
        tabIndex={-1}
        role="group"
        aria-label={t`Список замовлень`}
        aria-busy={orders.isPlaceholderData || undefined}
        hidden={shown.length === 0}
        className={cx(
          '@container rounded-sm bg-sheet shadow-sheet print:shadow-none',
          orders.isPlaceholderData && 'opacity-60',
        )}
      >
        <OrderColumns />
        {shown.map((order) => (
          <OrderRow
            key={order.id}
            order={order}
            open={opened.isOpen(order.id)}
            onToggle={opened.toggle}
            chosen={chosen.chosen.has(order.id)}
            onChoose={chosen.choose}
          />
        ))}
      </div>
      {shown.length > 0 && (
        <LoadMore
          hasMore={orders.hasNextPage}
          loading={orders.isFetchingNextPage}
          automatic={!orders.isFetchNextPageError}
          onMore={() => void orders.fetchNextPage()}
        />
      )}
      {shown.length > 0 && (
        <p>
          <Link to="/" className={buttonClass({ variant: 'primary' })}>
            <Trans>Створити платіж</Trans>
          </Link>
        </p>
      )}
    </>
  )
}

function Waiting() {
  const { t } = useLingui()
  return (
    <div
      role="status"
      aria-label={t`Завантаження…`}
      className="flex flex-col gap-5 rounded-sm bg-sheet px-4 py-6 shadow-sheet sm:px-6"
    >
      {['first', 'second', 'third', 'fourth', 'fifth', 'sixth'].map((key) => (
        <Skeleton key={key} className="h-10" />
      ))}
    </div>
  )
}

function Nothing({ filtered, onReset }: { readonly filtered: boolean; readonly onReset: () => void }) {
  if (filtered) {
    return (
      <Sheet>
        <EmptyState
          icon="search"
          title={<Trans>За цими фільтрами нічого не знайдено</Trans>}
          actions={
            <Button onClick={onReset}>
              <Trans>Скинути фільтри</Trans>
            </Button>
          }
        >
          <Trans>Змініть статус, період або текст пошуку.</Trans>
        </EmptyState>
      </Sheet>
    )
  }
  return (
    <Sheet>
      <EmptyState
        icon="archive"
        title={<Trans>Замовлень ще немає</Trans>}
        actions={
          <Link to="/" className={buttonClass({ variant: 'primary' })}>
            <Trans>Створити платіж</Trans>
          </Link>
        }
      >
        <Trans>Тут з’являться замовлення та квитанції до них.</Trans>
      </EmptyState>
    </Sheet>
  )
}
