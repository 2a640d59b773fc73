import { NetworkFailure, Refusal, ServerFailure, type MessageKey } from '@/api/failure'
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
    case 'pending':
      if (address !== null) return { kind: 'bank', orderId, address }
      return by === 'saved-card' ? { kind: 'archive' } : { kind: 'order', orderId, page: 'payment-status' }
    // In progress, or a status that this page does not know yet.
    default:
      return { kind: 'order', orderId, page: 'payment-status' }
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

/** Refusals which say that the payments have left the cart, by an order that this call has not made. */
const ORDERED_KEYS: ReadonlySet<MessageKey> = new Set([
  'cart_already_ordered',
  'cart_group_empty',
  'idempotency_key_reused',
])

/** What a failed wish to pay says of the money. */
export type PayOutcome =
  /** The cabinet has refused before anything was sent: no order, no charge. */
  | 'nothing-sent'
  /** The payments are another order's, which may be paid. */
  | 'ordered-elsewhere'
  /** Nobody knows: the order may exist and be paid. */
  | 'unknown'

/**
 * What is certain of the money after a failure; `isOpen`: an earlier try under the same key was not answered. Only a refusal of
 * the cabinet that it gives before it asks the acquirer is certain, and only of its own try.
 */
export function payOutcomeOf(failure: unknown, isOpen: boolean): PayOutcome {
  if (!(failure instanceof Refusal)) return 'unknown'
  if (ORDERED_KEYS.has(failure.key)) return 'ordered-elsewhere'
  return isOpen || failure.key === 'payment_outcome_unknown' ? 'unknown' : 'nothing-sent'
}

/** Whether asking again by itself may help: the answer was lost, or the server was not there. */
export function isLost(failure: unknown): boolean {
  return failure instanceof NetworkFailure || failure instanceof ServerFailure
}
