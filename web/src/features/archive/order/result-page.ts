import type { OrderStatus } from '@/api/orders'

/** The result pages. */
export type ResultPage = 'success' | 'error' | 'pending'

/**
 * The result page for a status (specification, "Readings: orders"). `in_progress` is treated as pending: a payment that may still
 * succeed must never suggest a second one.
 */
export function resultPageOf(status: OrderStatus): ResultPage {
  switch (status) {
    case 'paid':
      return 'success'
    case 'pending':
    case 'in_progress':
      return 'pending'
    // Any other status, also an unknown one (specification, point 4).
    default:
      return 'error'
  }
}
