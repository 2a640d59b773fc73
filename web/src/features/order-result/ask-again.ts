import type { Order } from '@/api/orders'
import { paymentStateOf } from '@/api/payment-state'

/** How often an order has been asked for, and for how long its page has been open. */
export interface Asked {
  readonly times: number
  readonly openForMs: number
}

/** The recheck of a pending order (specification, point 9), and how rare it becomes for one that takes long. */
const RECHECK_MS = 5000
const RECHECK_MAX_MS = 60_000

/** When a pending order is asked for again. */
export function pendingAskedAgainAfter(_order: Order, { times }: Asked): number {
  return Math.min(RECHECK_MS * 1.3 ** Math.max(times - 1, 0), RECHECK_MAX_MS)
}

const RECHECK_RARELY_MS = 20_000
const OFTEN_FOR_MS = 120_000

/** When an unpaid order is asked for again: while it may still turn out paid, often at first, then now and then. */
export function unpaidAskedAgainAfter(order: Order, { openForMs }: Asked): number | false {
  const state = paymentStateOf(order)
  if (state !== 'declined_page_open' && state !== 'under_review') return false
  return openForMs < OFTEN_FOR_MS ? RECHECK_MS : RECHECK_RARELY_MS
}
