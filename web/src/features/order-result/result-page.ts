import type { OrderStatus } from '@/api/orders'

/** The pages an order may have come to. */
export type ResultPage = 'success' | 'error' | 'pending'

/**
 * Which page tells the truth about an order (readings, "Orders"). One that is still being handed to the acquirer is
 * handled like a pending one: a payment that may still succeed must never invite a second.
 */
export function resultPageOf(status: OrderStatus): ResultPage {
  switch (status) {
    case 'paid':
      return 'success'
    case 'pending':
    case 'in_progress':
      return 'pending'
    // Any other, also one that this page does not know yet (specification, point 4).
    default:
      return 'error'
  }
}
