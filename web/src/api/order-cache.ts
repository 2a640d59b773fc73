/** Merges changes of single orders into the cached lists and pages, without reading whole lists again. */
import type { InfiniteData, Query } from '@tanstack/react-query'

import { isNotFound } from './failure'
import {
  loadOrder,
  loadOrders,
  orderQuery,
  ordersKey,
  type Order,
  type OrderFilter,
  type Orders,
} from './orders'
import { mayTakeMoney } from './payment-state'
import { queryClient } from './query-client'
import { unfinishedKey } from './unfinished'

/** Whether anything was paid yet. It is no list of the archive: its data are not pages. */
export const firstPaidKey = [...ordersKey.all, 'first-paid'] as const

/** The loaded pages of the archive. */
export type OrderList = InfiniteData<Orders, string | null>

/** Returns the list with one order changed, or removed where `change` returns null. */
export function withOrder(
  data: OrderList,
  orderId: string,
  change: (order: Order) => Order | null,
): OrderList {
  return {
    ...data,
    pages: data.pages.map((page) => ({
      ...page,
      orders: page.orders.flatMap((order) => (order.id === orderId ? (change(order) ?? []) : [order])),
    })),
  }
}

function listsInCache(): readonly Query[] {
  return queryClient.getQueryCache().findAll({ queryKey: ordersKey.lists })
}

const listOf = (query: Query) => query.state.data as OrderList | undefined
const filterOf = (query: Query) => query.queryKey.at(-1) as OrderFilter

/** Whether the cache still has the query. Signing out empties the cache, and the next notary's queries have the same keys. */
const isKept = (query: Query) => queryClient.getQueryCache().get(query.queryHash) === query

/** Sets the data of a query but keeps its age, since the rest of the data was not read again. */
function put(query: Query, data: unknown): void {
  if (!isKept(query)) return
  queryClient.setQueryData(query.queryKey, data, { updatedAt: query.state.dataUpdatedAt })
}

/** Invalidates one query: it is read again at once if it is on the screen, otherwise when it is next shown. */
function reload(query: Query): void {
  void queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true })
}

/** The orders for which each list was already reloaded. */
const reloadedFor = new WeakMap<Query, Set<string>>()

/** Whether a reload may bring a missing order into the list. True once for each order: the page cannot evaluate a text filter. */
function isMissing(query: Query, data: OrderList, order: Order): boolean {
  const last = data.pages.at(-1)
  const oldest = last?.orders.at(-1)
  // The order belongs to a page that was not loaded.
  if (last?.next !== null && oldest !== undefined && order.created_at < oldest.created_at) return false
  const known = reloadedFor.get(query) ?? new Set()
  reloadedFor.set(query, known)
  const isFirst = !known.has(order.id)
  known.add(order.id)
  return isFirst
}

function mergeInto(query: Query, order: Order): void {
  const data = listOf(query)
  // The list is about to be read anyway.
  if (data === undefined || query.state.isInvalidated) return
  const { status } = filterOf(query)
  const belongs = status === undefined || status === order.status
  const isListed = data.pages.some(({ orders }) => orders.some(({ id }) => id === order.id))
  if (isListed) {
    put(
      query,
      withOrder(data, order.id, () => (belongs ? order : null)),
    )
  } else if (belongs && isMissing(query, data, order)) reload(query)
}

/** Waits for a request in flight: its answer may be older than the order to merge and would overwrite it. */
async function atRest(query: Query): Promise<void> {
  if (query.state.fetchStatus !== 'idle') await query.promise?.catch(() => undefined)
}

/** The requests in flight, by order. */
const readings = new Map<string, AbortController>()

/**
 * Reads one order and merges it into every cached list and page; reads again what else is cached of it. Asks for nothing that is not
 * cached.
 */
export async function readOrderAnew(id: string): Promise<void> {
  for (const queryKey of [
    [...ordersKey.pages, id, 'details'],
    [...ordersKey.pages, id, 'transfers'],
    firstPaidKey,
    unfinishedKey,
  ])
    void queryClient.invalidateQueries({ queryKey })
  const page = queryClient.getQueryCache().find({ queryKey: orderQuery(id).queryKey, exact: true })
  const lists = listsInCache()
  if (page === undefined && lists.length === 0) return

  // A later message supersedes an earlier one.
  readings.get(id)?.abort()
  const reading = new AbortController()
  readings.set(id, reading)
  try {
    const order = await loadOrder(id, false, reading.signal)
    const merging = lists.map(async (query) => {
      await atRest(query)
      if (!reading.signal.aborted) mergeInto(query, order)
    })
    if (page !== undefined) {
      await atRest(page)
      if (!reading.signal.aborted && isKept(page)) queryClient.setQueryData(page.queryKey, order)
    }
    await Promise.all(merging)
  } catch (failure) {
    if (reading.signal.aborted || isNotFound(failure)) return
    void queryClient.invalidateQueries({ queryKey: ordersKey.all })
  } finally {
    if (readings.get(id) === reading) readings.delete(id)
  }
}

/** Whether the order may still change by itself. The status tells it where the state is one that only a newer server knows. */
function isOpen(order: Order): boolean {
  return order.status === 'in_progress' || order.status === 'pending' || mayTakeMoney(order)
}

const idsOf = (orders: readonly Order[]) => orders.map(({ id }) => id).join(' ')

/**
 * Reads the first page of a list, and the orders on later pages that may have changed. Reloads the list if the first
 * page holds other orders than before.
 */
async function readListAnew(query: Query): Promise<void> {
  const data = listOf(query)
  const [first, ...others] = data?.pages ?? []
  if (data === undefined || first === undefined || others.length === 0) return reload(query)
  await atRest(query)
  try {
    const fresh = await loadOrders(filterOf(query), null)
    if (listOf(query) !== data || idsOf(fresh.orders) !== idsOf(first.orders)) return reload(query)
    put(query, { ...data, pages: [fresh, ...others] })
    const open = others.flatMap(({ orders }) => orders.filter(isOpen))
    await Promise.all(open.map(({ id }) => readOrderAnew(id)))
  } catch {
    reload(query)
  }
}

/** Reads the shown orders that may have changed, for polling. */
export function readOrdersAnew(): void {
  void queryClient.invalidateQueries({ queryKey: ordersKey.pages })
  void queryClient.invalidateQueries({ queryKey: firstPaidKey })
  void queryClient.invalidateQueries({ queryKey: unfinishedKey })
  for (const query of listsInCache()) {
    if (query.isActive()) void readListAnew(query)
    else reload(query)
  }
}
