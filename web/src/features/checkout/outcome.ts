import type { Cart } from '@/api/cart'
import { NetworkFailure, Refusal, ServerFailure, type MessageKey } from '@/api/failure'
import type { OrderSummary } from '@/api/orders'

/** What follows after the order was created. */
export type Destination =
  /** Open the acquirer's payment or confirmation page. */
  | { readonly kind: 'bank'; readonly orderId: string; readonly address: string }
  /** The saved card was charged: show the redirecting state, then the archive. */
  | { readonly kind: 'archive' }
  /** The same, then back to the cart, where other clients wait. */
  | { readonly kind: 'cart' }
  /** The saved card was not charged: show the redirecting state, then the order's error page. */
  | { readonly kind: 'declined'; readonly orderId: string }
  | { readonly kind: 'order'; readonly orderId: string; readonly page: 'error' | 'payment-status' }

/** Keeps the notary in the cart, instead of leading to the archive, while payments of other clients wait there. */
export function destinationIn(
  cart: Cart | undefined,
  clientId: string,
  destination: Destination,
): Destination {
  const others = cart?.groups.some(({ client, items }) => client.id !== clientId && items.length > 0) === true
  return destination.kind === 'archive' && others ? { kind: 'cart' } : destination
}

/**
 * Decides where the browser goes once the order exists (specification, point 4, "Cart"). An unknown outcome leads to
 * the status page; it is never treated as a failure.
 */
export function destinationOf(
  { id: orderId, status, widget_url: address }: OrderSummary,
  by: 'saved-card' | 'bank-page',
): Destination {
  switch (status) {
    case 'failed':
    case 'expired':
    case 'refunded':
      return by === 'saved-card' ? { kind: 'declined', orderId } : { kind: 'order', orderId, page: 'error' }
    case 'paid':
      return by === 'saved-card' ? { kind: 'archive' } : { kind: 'order', orderId, page: 'payment-status' }
    case 'pending':
      if (address !== null) return { kind: 'bank', orderId, address }
      return by === 'saved-card' ? { kind: 'archive' } : { kind: 'order', orderId, page: 'payment-status' }
    // In progress, or an unknown status.
    default:
      return { kind: 'order', orderId, page: 'payment-status' }
  }
}

/** Refusals which mean that another order has taken the payments from the cart. */
const ORDERED_KEYS: ReadonlySet<MessageKey> = new Set([
  'cart_already_ordered',
  'cart_group_empty',
  'idempotency_key_reused',
])

/** What is known about the money after a failure. */
export type PayOutcome =
  /** The cabinet refused before it contacted the acquirer: no order, no charge. */
  | 'nothing-sent'
  /** The payments belong to another order, which may be paid. */
  | 'ordered-elsewhere'
  /** Unknown: the order may exist and be paid. */
  | 'unknown'

/**
 * What is certain about the money after a failure. Only a refusal that the cabinet gives before it contacts the
 * acquirer is certain, and only for its own attempt. `isOpen`: an earlier attempt with the same key was not answered.
 */
export function payOutcomeOf(failure: unknown, isOpen: boolean): PayOutcome {
  if (!(failure instanceof Refusal)) return 'unknown'
  if (ORDERED_KEYS.has(failure.key)) return 'ordered-elsewhere'
  return isOpen || failure.key === 'payment_outcome_unknown' ? 'unknown' : 'nothing-sent'
}

/** Whether an automatic retry may help: the answer was lost or the server did not respond. */
export function isLost(failure: unknown): boolean {
  return failure instanceof NetworkFailure || failure instanceof ServerFailure
}
