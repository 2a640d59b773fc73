import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'

import { api } from './client'
import { NetworkFailure } from './failure'
import type { components } from './schema'

export type Order = components['schemas']['Order']
export type Orders = components['schemas']['Orders']
export type OrderItem = components['schemas']['OrderItem']
export type OrderStatus = components['schemas']['OrderStatus']
export type PaymentState = Order['payment_state']
export type OrderStatusAnswer = components['schemas']['OrderStatusAnswer']
export type OrderSummary = components['schemas']['OrderSummary']
export type Repeat = components['schemas']['Repeat']
export type CreateOrderRequest = components['schemas']['CreateOrderRequest']

/** An order as the server knows it; `askAcquirer` has the server ask the acquirer first. */
export async function loadOrder(id: string, askAcquirer: boolean, signal?: AbortSignal): Promise<Order> {
  const answer = await api.GET('/order/{id}', {
    params: { path: { id }, query: { update_status: askAcquirer ? 1 : 0 } },
    ...(signal && { signal }),
  })
  return answer.order
}

/** The keys of the cache: of all orders, of the pages of one order each, and of the archive's lists. */
export const ordersKey = {
  all: ['orders'],
  pages: ['orders', 'one'],
  lists: ['orders', 'list'],
} as const

/** The order of a result page: its status is the bank's of now, not of the last visit. */
export const orderQuery = (id: string) =>
  queryOptions({
    queryKey: [...ordersKey.pages, id],
    queryFn: ({ signal }) => loadOrder(id, true, signal),
    // Only so long that the page does not repeat what led to it.
    staleTime: 2_000,
  })

/** What the archive shows; a day is `YYYY-MM-DD` in Kyiv. */
export interface OrderFilter {
  readonly status?: OrderStatus
  readonly from?: string
  readonly to?: string
  /** Part of a name, a code or a number: it travels in a body and stands in no address. */
  readonly text?: string
}

const PAGE_SIZE = 20

/** One page of the archive: the newest orders, or those before the given place. */
export function loadOrders(
  { text, ...conditions }: OrderFilter,
  before: string | null,
  signal?: AbortSignal,
): Promise<Orders> {
  const filter = { limit: PAGE_SIZE, ...(before !== null && { before }), ...conditions }
  const aborted = signal && { signal }
  return text === undefined
    ? api.GET('/order', { params: { query: filter }, ...aborted })
    : api.POST('/order/search', { body: { ...filter, text }, ...aborted })
}

export const ordersQuery = (filter: OrderFilter) =>
  infiniteQueryOptions({
    queryKey: [...ordersKey.lists, filter],
    queryFn: ({ pageParam, signal }) => loadOrders(filter, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  })

/** Where an order and its items stand; the server asks the acquirer where that is not final. */
export const loadOrderStatus = (id: string) => api.GET('/order/{id}/status', { params: { path: { id } } })

/** A link that can be paid now; an older one of the same order is cancelled first. */
export const freshPayLink = async (id: string) =>
  (await api.GET('/order/{id}/update/pay-link', { params: { path: { id } } })).widget_url

/** Makes an order of a cart group. A repeat with the same key answers the same order. */
export async function createOrder(body: CreateOrderRequest, key: string): Promise<OrderSummary> {
  const answer: { order?: OrderSummary } | null = await api.POST('/order/create', {
    body,
    headers: { 'Idempotency-Key': key },
  })
  // A success without an order is not the cabinet's: whether there is one is unknown.
  if (typeof answer?.order?.id !== 'string') throw new NetworkFailure()
  return answer.order
}

/** An earlier item and what of it is still to be had today. */
export const loadRepeat = (itemId: string) =>
  api.GET('/order/item/{id}/repeat', { params: { path: { id: itemId } } })
