import type { PaymentState } from './orders'

/** The state of a payment. `unfamiliar`: a state that only a newer server knows. */
export type KnownPaymentState = PaymentState | 'unfamiliar'

interface Prospect {
  /** The order is certainly unpaid and can be paid. */
  readonly payable: boolean
  /** An existing attempt may still take money (`PaymentState::may_take_money` of the server). */
  readonly mayTakeMoney: boolean
  /** The order may be paid by QR codes: nothing is charged, and an open page of the bank can be closed. */
  readonly codes: boolean
}

/** What may come of each state. A state that the server adds fails the type check until it is listed here. */
const PROSPECTS: Readonly<Record<PaymentState, Prospect>> = {
  not_sent: { payable: true, mayTakeMoney: false, codes: true },
  unknown: { payable: false, mayTakeMoney: true, codes: false },
  waiting: { payable: false, mayTakeMoney: true, codes: true },
  // The bank's page is still open and takes another card.
  declined_page_open: { payable: true, mayTakeMoney: true, codes: true },
  declined: { payable: true, mayTakeMoney: false, codes: true },
  expired: { payable: true, mayTakeMoney: false, codes: true },
  paid: { payable: false, mayTakeMoney: false, codes: false },
  refunded: { payable: false, mayTakeMoney: false, codes: false },
  under_review: { payable: false, mayTakeMoney: true, codes: false },
}

/** The state to show. An unknown state is never guessed: money may have been charged. */
export function paymentStateOf({
  payment_state: state,
}: {
  readonly payment_state: string
}): KnownPaymentState {
  return Object.hasOwn(PROSPECTS, state) ? (state as PaymentState) : 'unfamiliar'
}

/** What may come of the order's payment. Nothing is promised of a state that only a newer server knows. */
function prospectOf(order: { readonly payment_state: string }): Prospect {
  const state = paymentStateOf(order)
  return state === 'unfamiliar' ? { payable: false, mayTakeMoney: false, codes: false } : PROSPECTS[state]
}

/** Why an order that is not paid can't be paid any more, whatever its payment state. */
const OVER: ReadonlySet<string | null | undefined> = new Set(['order_returned_to_cart', 'order_cancelled'])

/** Whether the order is certainly unpaid and can be paid. Only then a page offers to pay. */
export function isPayable(order: {
  readonly payment_state: string
  readonly failure?: string | null
}): boolean {
  return prospectOf(order).payable && order.failure !== 'order_cancelled'
}

/** Whether an existing attempt may still take money, so that it is worth asking again. */
export function mayTakeMoney(order: { readonly payment_state: string }): boolean {
  return prospectOf(order).mayTakeMoney
}

/** Whether the order may be paid by QR codes. */
export function takesCodes(order: {
  readonly payment_state: string
  readonly failure: string | null
}): boolean {
  return prospectOf(order).codes && !OVER.has(order.failure)
}

/** Whether the notary may cancel the order: nothing is charged, and an open page of the bank can be closed, as for codes. */
export function isCancellable(order: Parameters<typeof takesCodes>[0]): boolean {
  return takesCodes(order)
}

/** How many parts of the order are folded away below it (`OrderFile`). */
export function foldsOf(order: {
  readonly status: string
  readonly payment_state: string
  readonly failure: string | null
}): 1 | 2 | 3 | 4 {
  if (isCancellable(order)) return 4
  if (order.status === 'paid') return 3
  return order.status === 'refunded' ? 2 : 1
}
