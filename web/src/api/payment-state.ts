import type { PaymentState } from './orders'

/** The state of a payment. `unfamiliar`: a state that only a newer server knows. */
export type KnownPaymentState = PaymentState | 'unfamiliar'

interface Prospect {
  /** The order is certainly unpaid and can be paid. */
  readonly payable: boolean
  /** An existing attempt may still take money (`PaymentState::may_take_money` of the server). */
  readonly mayTakeMoney: boolean
}

/** What may come of each state. A state that the server adds fails the type check until it is listed here. */
const PROSPECTS: Readonly<Record<PaymentState, Prospect>> = {
  not_sent: { payable: true, mayTakeMoney: false },
  unknown: { payable: false, mayTakeMoney: true },
  waiting: { payable: false, mayTakeMoney: true },
  // The bank's page is still open and takes another card.
  declined_page_open: { payable: true, mayTakeMoney: true },
  declined: { payable: true, mayTakeMoney: false },
  expired: { payable: true, mayTakeMoney: false },
  paid: { payable: false, mayTakeMoney: false },
  refunded: { payable: false, mayTakeMoney: false },
  under_review: { payable: false, mayTakeMoney: true },
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
  return state === 'unfamiliar' ? { payable: false, mayTakeMoney: false } : PROSPECTS[state]
}

/** Whether the order is certainly unpaid and can be paid. Only then a page offers to pay. */
export function isPayable(order: { readonly payment_state: string }): boolean {
  return prospectOf(order).payable
}

/** Whether an existing attempt may still take money, so that it is worth asking again. */
export function mayTakeMoney(order: { readonly payment_state: string }): boolean {
  return prospectOf(order).mayTakeMoney
}
