import { queryOptions } from '@tanstack/react-query'

import { api } from './client'
import type { components } from './schema'

export type Cart = components['schemas']['Cart']
export type CartGroup = components['schemas']['CartGroup']
export type CartItem = components['schemas']['CartItem']
export type AddToCartRequest = components['schemas']['AddToCartRequest']
export type DuplicatePayment = components['schemas']['DuplicatePayment']

/** The ids and counts of items, in one text that is equal for equal items. */
export function contentsOf(items: readonly Pick<CartItem, 'id' | 'count'>[]): string {
  return items
    .map(({ id, count }) => `${id}*${count}`)
    .toSorted()
    .join(' ')
}

export const cartQuery = () =>
  queryOptions({
    queryKey: ['cart', 'groups'],
    queryFn: ({ signal }) => api.GET('/cart', { signal }),
  })

/** The client of the latest payment, which the form offers. */
export const lastClientQuery = () =>
  queryOptions({
    queryKey: ['cart', 'last-client'],
    queryFn: async ({ signal }) => (await api.GET('/cart/client/last', { signal })).client,
  })

/**
 * Adds a payment once for each key: after a lost answer the call is repeated with the same key. `twice`: also where the same payment is
 * there already; otherwise it is refused with `payment_duplicate` and both.
 */
export const addToCart = (payment: AddToCartRequest, key: string, twice: boolean) =>
  api.POST('/cart/add', {
    body: { ...payment, accept_duplicate: twice },
    headers: { 'Idempotency-Key': key },
  })

export const deleteCartItem = (itemId: string) =>
  api.POST('/cart/item/delete', { body: { cart_item_id: itemId } })

/** Undoes a deletion. */
export const restoreCartItem = (itemId: string) =>
  api.POST('/cart/item/restore', { body: { cart_item_id: itemId } })

/** Updates an item to today's price and account. Returns the whole cart. */
export const refreshCartItem = (itemId: string) =>
  api.POST('/cart/item/refresh', { body: { cart_item_id: itemId } })

export const setCartItemCount = (itemId: string, count: number) =>
  api.POST('/cart/items/count', { body: { cart_item_id: itemId, new_count: count } })
