import type { Order } from '@/api/orders'
import { mayTakeMoney } from '@/api/payment-state'

/** How often the order was polled and how long the page has been open. */
export interface Asked {
  readonly times: number
  readonly openForMs: number
}

/** The polling interval of a pending order (specification, point 9), and its upper limit. */
const RECHECK_MS = 5000
const RECHECK_MAX_MS = 60_000

/** The polling interval of a pending order in milliseconds; it grows with each poll. */
export function pendingAskedAgainAfter(_order: Order, { times }: Asked): number {
  return Math.min(RECHECK_MS * 1.3 ** Math.max(times - 1, 0), RECHECK_MAX_MS)
}

const RECHECK_RARELY_MS = 20_000
const OFTEN_FOR_MS = 120_000

/** The polling interval of an unpaid order in milliseconds, while it may still turn out paid; false otherwise. */
export function unpaidAskedAgainAfter(order: Order, { openForMs }: Asked): number | false {
  if (!mayTakeMoney(order)) return false
  return openForMs < OFTEN_FOR_MS ? RECHECK_MS : RECHECK_RARELY_MS
}
