/**
 * Brings what has changed of single orders into the lists and pages that hold them, without reading whole lists anew.
 */
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
import { queryClient } from './query-client'

/** The archive as far as it was loaded. */
export type OrderList = InfiniteData<Orders, string | null>

/** The loaded pages with one order changed; without it where `change` returns null. */
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

/** Changes the data of a query and leaves its age as it is: the rest of it was not read anew. */
function put(query: Query, data: unknown): void {
  if (!isKept(query)) return
  queryClient.setQueryData(query.queryKey, data, { updatedAt: query.state.dataUpdatedAt })
}

/** Reads a query again: at once where it is on the screen, otherwise when it is next opened. */
function reload(query: Query): void {
  void queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true })
}

/** The orders for which a list was reloaded, since they may have belonged there. */
const reloadedFor = new WeakMap<Query, Set<string>>()

/** Whether an order that is not in a list may be in it after a reload. True once for each order: a list may be searched by text, which only the server can do. */
function isMissing(query: Query, data: OrderList, order: Order): boolean {
  const last = data.pages.at(-1)
  const oldest = last?.orders.at(-1)
  // It stands on a page that was not loaded.
  if (last?.next !== null && oldest !== undefined && order.created_at < oldest.created_at) return false
  const known = reloadedFor.get(query) ?? new Set()
  reloadedFor.set(query, known)
  const isFirst = !known.has(order.id)
  known.add(order.id)
  return isFirst
}

function mergeInto(query: Query, order: Order): void {
  const data = listOf(query)
  // Without data, or about to be read anew, it gets the order with the rest.
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

/** Waits for an answer that is on its way: asked for earlier, it may be older than what is to be merged. */
async function atRest(query: Query): Promise<void> {
  if (query.state.fetchStatus !== 'idle') await query.promise?.catch(() => undefined)
}

/** The reading of each order that is under way. */
const readings = new Map<string, AbortController>()

/** Reads one order and puts it into every list and page that holds it. Nothing is read while nothing holds orders. */
export async function readOrderAnew(id: string): Promise<void> {
  const page = queryClient.getQueryCache().find({ queryKey: orderQuery(id).queryKey, exact: true })
  const lists = listsInCache()
  if (page === undefined && lists.length === 0) return

  // Of two pieces of news only the later one counts.
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

/** May change without the notary's doing. */
function isOpen({ status, payment_state }: Order): boolean {
  return (
    status === 'in_progress' ||
    status === 'pending' ||
    payment_state === 'declined_page_open' ||
    payment_state === 'under_review'
  )
}

const idsOf = (orders: readonly Order[]) => orders.map(({ id }) => id).join(' ')

/** Reads the first page of a list and the orders after it that may have changed. The whole list only where its first page has other orders than before. */
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

/** Reads anew what may have changed of the orders on the screen, where nothing tells which. */
export function readOrdersAnew(): void {
  void queryClient.invalidateQueries({ queryKey: ordersKey.pages })
  for (const query of listsInCache()) {
    if (query.isActive()) void readListAnew(query)
    else reload(query)
  }
}
