import type { PaymentState } from './orders'

/** The state of a payment. `unfamiliar`: a state that only a newer server knows. */
export type KnownPaymentState = PaymentState | 'unfamiliar'

const STATES: ReadonlySet<string> = new Set<PaymentState>([
  'not_sent',
  'unknown',
  'waiting',
  'declined_page_open',
  'declined',
  'expired',
  'paid',
  'refunded',
  'under_review',
])

/** The state to show. An unknown state is never guessed: money may have been charged. */
export function paymentStateOf({
  payment_state: state,
}: {
  readonly payment_state: string
}): KnownPaymentState {
  return STATES.has(state) ? (state as PaymentState) : 'unfamiliar'
}

const PAYABLE: ReadonlySet<KnownPaymentState> = new Set<KnownPaymentState>([
  'not_sent',
  'declined_page_open',
  'declined',
  'expired',
])

/** Whether the order is certainly unpaid and can be paid. Only then a page offers to pay. */
export function isPayable(order: { readonly payment_state: string }): boolean {
  return PAYABLE.has(paymentStateOf(order))
}
