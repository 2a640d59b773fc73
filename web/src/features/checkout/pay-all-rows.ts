import type { MessageKey } from '@/api/failure'
import type { Order, OrderSummary } from '@/api/orders'
import { paymentStateOf } from '@/api/payment-state'
import { fromHryvnias, type Kopiykas } from '@/lib/money'

import type { PaidGroup } from './create-order'
import type { PayOutcome } from './outcome'
import type { KeptRow } from './pay-all-run'

type OpenReason = Extract<MessageKey, 'payment_outcome_unknown' | 'payment_no_trace' | 'order_under_review'>

/** How the payment of one client stands. */
type RowState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'paying' }
  | { readonly kind: 'paid' | 'unpaid' | 'refunded' | 'confirm' }
  /** Whether money was taken is not certain; `reason` says why and what to do. */
  | { readonly kind: 'open'; readonly reason: OpenReason }
  | { readonly kind: 'refused'; readonly failure: unknown; readonly outcome: PayOutcome }
  /** After a reload neither the payments nor their order were found. */
  | { readonly kind: 'lost' }

export interface PayAllRow {
  readonly clientId: string
  readonly contents: string
  /** Null where nothing is known any more. */
  readonly group: PaidGroup | null
  readonly order: { readonly id: string; readonly number: string } | null
  readonly clientName: string | null
  readonly sum: Kopiykas | null
  readonly state: RowState
}

/** An order as far as it is known. */
export type KnownOrder = OrderSummary & Partial<Pick<Order, 'failure'>>

const UNKNOWN: RowState = { kind: 'open', reason: 'payment_outcome_unknown' }

/** How the money of an order stands. Anything that is neither paid nor certainly unpaid is open. */
export function stateOf(order: KnownOrder): RowState {
  switch (paymentStateOf(order)) {
    case 'paid':
      return { kind: 'paid' }
    case 'refunded':
      return { kind: 'refunded' }
    case 'not_sent':
    case 'declined':
    case 'expired':
      return order.failure === 'payment_no_trace'
        ? { kind: 'open', reason: 'payment_no_trace' }
        : { kind: 'unpaid' }
    case 'under_review':
      return { kind: 'open', reason: 'order_under_review' }
    case 'waiting':
      return order.widget_url === null ? UNKNOWN : { kind: 'confirm' }
    default:
      return UNKNOWN
  }
}

export const waitingRow = (group: PaidGroup): PayAllRow => ({
  clientId: group.clientId,
  contents: group.contents,
  group,
  order: null,
  clientName: group.clientName,
  sum: group.sum,
  state: { kind: 'waiting' },
})

export const orderRow = ({ clientId, contents }: KeptRow, order: Order): PayAllRow => ({
  clientId,
  contents,
  group: null,
  order,
  clientName: order.client.full_name,
  sum: fromHryvnias(order.sum),
  state: stateOf(order),
})

export const lostRow = ({ clientId, contents }: KeptRow): PayAllRow => ({
  clientId,
  contents,
  group: null,
  order: null,
  clientName: null,
  sum: null,
  state: { kind: 'lost' },
})

/** What of a row outlasts a reload. */
export const keptRow = ({ clientId, contents, order }: PayAllRow): KeptRow => ({
  clientId,
  contents,
  orderId: order?.id ?? null,
})

/** Whether a row can be paid: it waits, or the cabinet has refused it before anything was sent. */
export function mayStart({ state }: PayAllRow): boolean {
  return state.kind === 'waiting' || (state.kind === 'refused' && state.outcome === 'nothing-sent')
}

/** Whether nobody knows if a row was paid. */
export function isUnknown({ state }: PayAllRow): boolean {
  return (
    state.kind === 'open' ||
    state.kind === 'lost' ||
    (state.kind === 'refused' && state.outcome === 'unknown')
  )
}
