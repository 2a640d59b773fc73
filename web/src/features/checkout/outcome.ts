import { NetworkFailure, Refusal, ServerFailure } from '@/api/failure'
import type { OrderSummary } from '@/api/orders'

/** Where a paid-for group leads to. */
export type Destination =
  /** To the acquirer's page, or its page of confirmation. */
  | { readonly kind: 'bank'; readonly orderId: string; readonly address: string }
  /** The saved card was charged: a moment of the redirecting state, then the archive. */
  | { readonly kind: 'archive' }
  | { readonly kind: 'order'; readonly orderId: string; readonly page: 'error' | 'payment-status' }

/**
 * Where the browser goes once the order exists (specification, point 4, "Cart"). An outcome that nobody knows yet is
 * looked up on the status page; it is never taken for a failure.
 */
export function destinationOf(
  { id: orderId, status, widget_url: address }: OrderSummary,
  by: 'saved-card' | 'bank-page',
): Destination {
  switch (status) {
    case 'failed':
    case 'expired':
    case 'refunded':
      return { kind: 'order', orderId, page: 'error' }
    case 'paid':
      return by === 'saved-card' ? { kind: 'archive' } : { kind: 'order', orderId, page: 'payment-status' }
    case 'in_progress':
      return { kind: 'order', orderId, page: 'payment-status' }
    case 'pending':
      if (address !== null) return { kind: 'bank', orderId, address }
      return by === 'saved-card' ? { kind: 'archive' } : { kind: 'order', orderId, page: 'payment-status' }
  }
}

/** Refusals after which the same wish may be asked for again as it is. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([401, 403, 408, 425, 429])

/**
 * Whether the server has definitely said no: only then a new wish to pay begins. A lost answer, a broken server and a
 * limit leave it unknown whether the order exists, so the repeat has to carry the same key.
 */
export function isDefinite(failure: unknown): boolean {
  return failure instanceof Refusal && !PASSING_STATUSES.has(failure.status)
}

/** Whether asking again by itself may help: the answer was lost, or the server was not there. */
export function isLost(failure: unknown): boolean {
  return failure instanceof NetworkFailure || failure instanceof ServerFailure
}
