import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'

import { cartQuery, contentsOf } from '@/api/cart'
import { cartCountQuery } from '@/api/cart-count'
import type { MessageKey } from '@/api/failure'
import { loadOrder, loadOrders, ordersKey, type Order, type OrderSummary } from '@/api/orders'
import { paymentStateOf } from '@/api/payment-state'
import type { SavedCard } from '@/api/saved-cards'
import { fromHryvnias, type Kopiykas } from '@/lib/money'
import { sumPartsOf } from '@/lib/sum-parts'
import { wait } from '@/lib/wait'

import { createOnlyOrder, itemIds, type PaidGroup } from './create-order'
import { payOutcomeOf, type PayOutcome } from './outcome'
import { forgetRun, keepRun, keptRun, type KeptRow } from './pay-all-run'
import { endPayIntent, isPayIntentOpen } from './pay-intent'

/** How long, and how often, the outcome of one order is waited for. */
const LOOK_AGAIN_MS = 5000
const LOOKS_MAX = 6

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

type Known = OrderSummary & Partial<Pick<Order, 'failure'>>

const UNKNOWN: RowState = { kind: 'open', reason: 'payment_outcome_unknown' }

/** How the money of an order stands. Anything that is neither paid nor certainly unpaid is open. */
function stateOf(order: Known): RowState {
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

/** Whether the bank may soon tell more. */
function isAwaited(order: Known): boolean {
  const state = stateOf(order)
  return state.kind === 'open' && state.reason === 'payment_outcome_unknown'
}

/** Waits for the outcome of an order that the bank has taken. */
async function outcomeOf(order: Known): Promise<Known> {
  let known = order
  for (let look = 0; look < LOOKS_MAX && isAwaited(known); look += 1) {
    // One look after the other.
    // oxlint-disable-next-line no-await-in-loop
    await wait(LOOK_AGAIN_MS)
    try {
      // oxlint-disable-next-line no-await-in-loop
      known = await loadOrder(order.id, true)
    } catch {
      // It stays open, and is asked about again.
    }
  }
  return known
}

const waitingRow = (group: PaidGroup): PayAllRow => ({
  clientId: group.clientId,
  contents: group.contents,
  group,
  order: null,
  clientName: group.clientName,
  sum: group.sum,
  state: { kind: 'waiting' },
})

const orderRow = ({ clientId, contents }: KeptRow, order: Order): PayAllRow => ({
  clientId,
  contents,
  group: null,
  order,
  clientName: order.client.full_name,
  sum: fromHryvnias(order.sum),
  state: stateOf(order),
})

export interface PayAll {
  /** Null while an interrupted payment is looked up. */
  readonly rows: readonly PayAllRow[] | null
  readonly running: boolean
  /** Whether some outcome is unknown, so that nothing may go on. */
  readonly unknown: boolean
  readonly start: (card: SavedCard) => Promise<void>
  readonly end: () => void
}

/**
 * Pays several clients one after the other with one saved card, an order each. It goes on only after a paid order; a decline, a refusal, a
 * confirmation, above all an unknown outcome, and leaving the page stop it. `groups` is empty after a reload.
 */
export function usePayAll(groups: readonly PaidGroup[], notaryId: string): PayAll {
  const queryClient = useQueryClient()
  const [rows, setRows] = useState<readonly PayAllRow[] | null>(
    groups.length === 0 ? null : groups.map(waitingRow),
  )
  const [running, setRunning] = useState(false)
  const busy = useRef(false)
  const left = useRef(false)
  useEffect(() => {
    left.current = false
    return () => {
      left.current = true
    }
  }, [])

  useEffect(() => {
    if (groups.length > 0) return undefined
    let isOver = false
    const kept = keptRun(notaryId) ?? []
    void lookUp(kept).then((found) => {
      if (!isOver) setRows(found)
    })
    return () => {
      isOver = true
    }
    // Looked up once, when the page is opened again.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])

  /** Finds what became of the rows of an interrupted payment. */
  async function lookUp(kept: readonly KeptRow[]): Promise<readonly PayAllRow[]> {
    const cart = await queryClient.fetchQuery({ ...cartQuery(), staleTime: 0 }).catch(() => null)
    const newest = await loadOrders({}, null).catch(() => ({ orders: [] }))
    return Promise.all(
      kept.map(async (row) => {
        const group = cart?.groups.find(({ client }) => client.id === row.clientId)
        if (row.orderId === null && group !== undefined && contentsOf(group.items) === row.contents) {
          return waitingRow({
            clientId: row.clientId,
            contents: row.contents,
            clientName: group.client.full_name,
            sum: fromHryvnias(group.amount),
            parts: sumPartsOf(group.items),
          })
        }
        const ids = itemIds(row.contents)
        const id =
          row.orderId ?? newest.orders.find(({ items }) => items.some((item) => ids.has(item.id)))?.id
        const order = id === undefined ? null : await loadOrder(id, true).catch(() => null)
        if (order !== null) return orderRow(row, order)
        const { clientId, contents } = row
        return {
          clientId,
          contents,
          group: null,
          order: null,
          clientName: null,
          sum: null,
          state: { kind: 'lost' },
        }
      }),
    )
  }

  async function payOne(row: PayAllRow, group: PaidGroup, card: SavedCard, put: (row: PayAllRow) => void) {
    put({ ...row, state: { kind: 'paying' } })
    try {
      const { order } = await createOnlyOrder(group, { kind: 'saved-card', card }, () => undefined)
      endPayIntent(group)
      put({ ...row, order, state: { kind: 'paying' } })
      const done = { ...row, order, state: stateOf(await outcomeOf(order)) }
      put(done)
      return done
    } catch (failure) {
      const refused: PayAllRow = {
        ...row,
        state: { kind: 'refused', failure, outcome: payOutcomeOf(failure, isPayIntentOpen(group)) },
      }
      put(refused)
      return refused
    }
  }

  async function start(card: SavedCard) {
    if (busy.current || rows === null) return
    busy.current = true
    setRunning(true)
    let current = rows
    const put = (changed: PayAllRow) => {
      // The cart may be open anew, and what is kept then belongs to that page: it looks the orders up.
      if (left.current) return
      current = current.map((row) => (row.clientId === changed.clientId ? changed : row))
      setRows(current)
      keepRun(
        notaryId,
        current.map(({ clientId, contents, order }) => ({ clientId, contents, orderId: order?.id ?? null })),
      )
    }
    for (const row of rows.filter(mayStart)) {
      if (row.group === null) continue
      // One order after the other.
      // oxlint-disable-next-line no-await-in-loop
      const { state } = await payOne(row, row.group, card, put)
      // Whoever has left does not see what is charged: the rest waits in the cart for a new agreement.
      if (left.current || state.kind !== 'paid') break
    }
    busy.current = false
    setRunning(false)
    void queryClient.invalidateQueries({ queryKey: cartQuery().queryKey })
    void queryClient.invalidateQueries({ queryKey: cartCountQuery().queryKey })
    void queryClient.invalidateQueries({ queryKey: ordersKey.all })
  }

  return {
    rows,
    running,
    unknown: rows?.some(({ state }) => isUnknown(state)) === true,
    start,
    end: () => {
      forgetRun()
      void queryClient.invalidateQueries({ queryKey: cartQuery().queryKey })
    },
  }
}

/** Whether a row can be paid: it waits, or the cabinet has refused it before anything was sent. */
export function mayStart({ state }: PayAllRow): boolean {
  return state.kind === 'waiting' || (state.kind === 'refused' && state.outcome === 'nothing-sent')
}

function isUnknown(state: RowState): boolean {
  return (
    state.kind === 'open' ||
    state.kind === 'lost' ||
    (state.kind === 'refused' && state.outcome === 'unknown')
  )
}
