import type { components } from '@/api/schema'

/** Where an order or one of its items stands. */
export type OrderStatus = components['schemas']['OrderStatus']

/** Typed over all of them, so that one that the server adds fails the type check. */
const all: Record<OrderStatus, true> = {
  in_progress: true,
  pending: true,
  paid: true,
  failed: true,
  expired: true,
  refunded: true,
}

/** All of them, in the order of a payment. */
export const orderStatuses = Object.keys(all) as readonly OrderStatus[]
