import type { components } from '@/api/schema'

/** The status of an order or of one of its items. */
export type OrderStatus = components['schemas']['OrderStatus']

/** The type requires every status, so that one that the server adds fails the type check. */
const all: Record<OrderStatus, true> = {
  in_progress: true,
  pending: true,
  paid: true,
  failed: true,
  expired: true,
  refunded: true,
}

/** All statuses, in the order of a payment. */
export const orderStatuses = Object.keys(all) as readonly OrderStatus[]
