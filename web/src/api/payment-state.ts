import type { PaymentState } from './orders'

/** What the page knows of a payment; `unfamiliar`: a word of a server that is newer than this page. */
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

/** The state as the pages tell it. What they do not know they must not guess: it may be money that was taken. */
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

/** Whether it is certain that the order is not paid and can be: a page offers to pay for no other. */
export function isPayable(order: { readonly payment_state: string }): boolean {
  return PAYABLE.has(paymentStateOf(order))
}
