import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'

import { api } from './client'
import { NetworkFailure } from './failure'
import { savesEnded } from './running-saves'
import type { SavedCard } from './saved-cards'
import type { components } from './schema'

export type Order = components['schemas']['Order']
export type Orders = components['schemas']['Orders']
export type OrderItem = components['schemas']['OrderItem']
export type OrderStatus = components['schemas']['OrderStatus']
export type PaymentState = Order['payment_state']
export type OrderStatusAnswer = components['schemas']['OrderStatusAnswer']
export type OrderSummary = components['schemas']['OrderSummary']
export type CreateOrderRequest = components['schemas']['CreateOrderRequest']
export type UnfinishedOrder = components['schemas']['UnfinishedOrder']

/** Loads an order. With `askAcquirer` the server asks the acquirer for the status first. */
export async function loadOrder(id: string, askAcquirer: boolean, signal?: AbortSignal): Promise<Order> {
  const answer = await api.GET('/order/{id}', {
    params: { path: { id }, query: { update_status: askAcquirer ? 1 : 0 } },
    ...(signal && { signal }),
  })
  return answer.order
}

/** The query keys of all orders, of single orders, and of the archive's lists. */
export const ordersKey = {
  all: ['orders'],
  pages: ['orders', 'one'],
  lists: ['orders', 'list'],
} as const

/** The order of a result page, with its current status at the bank. */
export const orderQuery = (id: string) =>
  queryOptions({
    queryKey: [...ordersKey.pages, id],
    queryFn: ({ signal }) => loadOrder(id, true, signal),
    // Long enough that the page does not repeat the request that led to it.
    staleTime: 2_000,
  })

/** The filter of the archive; dates are `YYYY-MM-DD` in Kyiv. */
export interface OrderFilter {
  readonly status?: OrderStatus
  readonly from?: string
  readonly to?: string
  /** Part of a name, a code or a number. It is sent in a body only, since it is personal data. */
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

/** The status of an order and its items. The server asks the acquirer while the status is not final. */
export const loadOrderStatus = (id: string) => api.GET('/order/{id}/status', { params: { path: { id } } })

/**
 * A new payment link. The server cancels an older one of the same order first. `despiteCodes`: nobody paid by the QR codes that were
 * given out.
 */
export const freshPayLink = async (id: string, despiteCodes: boolean) => {
  const query = despiteCodes ? { despite_codes: 1 } : {}
  return (await api.GET('/order/{id}/update/pay-link', { params: { path: { id }, query } })).widget_url
}

/**
 * Charges a saved card for an order that was not paid. Never repeated after a lost answer: the card may have been charged, and after a
 * decline a repeat would charge it again.
 */
export async function payOrderByCard(id: string, { Token, MaskPan }: SavedCard): Promise<OrderSummary> {
  const answer: { order?: OrderSummary } | null = await api.POST('/order/{id}/pay', {
    params: { path: { id } },
    body: { token_id: Token, pan: MaskPan },
  })
  if (typeof answer?.order?.id !== 'string') throw new NetworkFailure()
  return answer.order
}

/** Creates an order from a cart group. A repeat with the same key returns the same order. */
export async function createOrder(body: CreateOrderRequest, key: string): Promise<OrderSummary> {
  await savesEnded()
  const answer: { order?: OrderSummary } | null = await api.POST('/order/create', {
    body,
    headers: { 'Idempotency-Key': key },
  })
  // An answer without an order is not the cabinet's: whether an order exists is unknown.
  if (typeof answer?.order?.id !== 'string') throw new NetworkFailure()
  return answer.order
}
