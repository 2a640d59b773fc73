import type { AddToCartRequest } from './cart'
import { api } from './client'
import type { components } from './schema'

export type EditableItem = components['schemas']['EditableItem']

/** An item of the cart for the form, and what of it is still available today. */
export const loadItem = (itemId: string) => api.GET('/cart/item/{id}', { params: { path: { id: itemId } } })

/**
 * Replaces an item of the cart, unless it is not of this version any more. Made again it changes nothing. Returns the whole cart.
 */
export const editItem = (itemId: string, version: string, payment: AddToCartRequest) =>
  api.POST('/cart/item/edit', { body: { cart_item_id: itemId, version, payment } })
