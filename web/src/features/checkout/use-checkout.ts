import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'

import { cartQuery } from '@/api/cart'
import { cartCountQuery } from '@/api/cart-count'
import { isDefinite } from '@/api/definite'
import { ordersKey, type OrderSummary } from '@/api/orders'
import { savedCardsQuery } from '@/api/saved-cards'

import { createOnlyOrder, type Method, type PaidGroup } from './create-order'
import { destinationIn, destinationOf, payOutcomeOf, type Destination, type PayOutcome } from './outcome'
import { endPayIntent, isPayIntentOpen } from './pay-intent'
import { useFollowOrder } from './use-follow-order'

export type Stage =
  | { readonly kind: 'idle' }
  /** The saved cards are loading; the popup opens afterwards. */
  | { readonly kind: 'opening' }
  | { readonly kind: 'choosing'; readonly failure: unknown }
  /** `repeating`: the answer was lost and the request is repeated. */
  | { readonly kind: 'paying'; readonly method: Method; readonly repeating: boolean }
  | {
      readonly kind: 'failed'
      readonly method: Method
      readonly failure: unknown
      readonly outcome: PayOutcome
    }
  | { readonly kind: 'leaving'; readonly to: Destination['kind'] }

/** Logs the message that the specification requires (point 8). */
function tellTokenFailure(): void {
  // oxlint-disable-next-line no-console
  console.error('Помилка оплати токеном')
}

export interface Checkout {
  readonly group: PaidGroup | null
  readonly stage: Stage
  /** The latest order that left other clients' payments in the cart. */
  readonly ordered: OrderSummary | null
  /** The popup with the saved cards. */
  readonly open: (group: PaidGroup) => Promise<void>
  readonly pay: (group: PaidGroup, method: Method) => Promise<void>
  readonly close: () => void
  /** Ends the redirecting state before its time. */
  readonly hurry: () => void
}

/**
 * Leads from the Pay button to the acquirer's page or the order. Creates exactly one order, however often the button is
 * pressed.
 */
export function useCheckout(): Checkout {
  const queryClient = useQueryClient()
  const [group, setGroup] = useState<PaidGroup | null>(null)
  const [ordered, setOrdered] = useState<OrderSummary | null>(null)
  const [stage, setStage] = useState<Stage>({ kind: 'idle' })
  // A state would be updated too late for the second click of a double click.
  const busy = useRef(false)
  const { follow, hurry } = useFollowOrder((to) => setStage({ kind: 'leaving', to }))

  async function open(wanted: PaidGroup) {
    if (busy.current) return
    busy.current = true
    setOrdered(null)
    setGroup(wanted)
    setStage({ kind: 'opening' })
    let failure: unknown = null
    try {
      await queryClient.fetchQuery({ ...savedCardsQuery(), staleTime: 0 })
    } catch (error) {
      // The popup also works without the saved cards and shows that they failed to load.
      failure = error
    }
    busy.current = false
    setStage({ kind: 'choosing', failure })
  }

  async function pay(wanted: PaidGroup, method: Method) {
    if (busy.current) return
    busy.current = true
    setGroup(wanted)
    setStage({ kind: 'paying', method, repeating: false })
    try {
      const { order, existing } = await createOnlyOrder(wanted, method, () =>
        setStage({ kind: 'paying', method, repeating: true }),
      ).finally(() => {
        // The archive is also where an order is looked for whose answer was lost.
        void queryClient.invalidateQueries({ queryKey: ordersKey.all })
      })
      endPayIntent(wanted)
      if (method.kind === 'saved-card' && order.status === 'failed') tellTokenFailure()
      const destination: Destination = existing
        ? { kind: 'order', orderId: order.id, page: 'payment-status' }
        : destinationIn(
            queryClient.getQueryData(cartQuery().queryKey),
            wanted.clientId,
            destinationOf(order, method.kind),
          )
      await follow(order, destination)
      if (destination.kind === 'cart') {
        await queryClient.invalidateQueries({ queryKey: cartQuery().queryKey })
        setOrdered(order)
      }
      // The group has left the cart.
      void queryClient.invalidateQueries({ queryKey: cartQuery().queryKey })
      void queryClient.invalidateQueries({ queryKey: cartCountQuery().queryKey })
      setStage({ kind: 'idle' })
    } catch (failure) {
      const outcome = payOutcomeOf(failure, isPayIntentOpen(wanted))
      if (method.kind === 'saved-card') tellTokenFailure()
      setStage({ kind: 'failed', method, failure, outcome })
      // The sum or the items may have changed.
      if (isDefinite(failure)) void queryClient.invalidateQueries({ queryKey: cartQuery().queryKey })
    } finally {
      busy.current = false
    }
  }

  return {
    group,
    stage,
    ordered,
    open,
    pay,
    hurry,
    close: () => {
      if (!busy.current) setStage({ kind: 'idle' })
    },
  }
}
