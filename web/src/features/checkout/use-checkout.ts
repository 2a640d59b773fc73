import { useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'

import { cartQuery } from '@/api/cart'
import { cartCountQuery } from '@/api/cart-count'
import { Refusal } from '@/api/failure'
import { createOrder, type CreateOrderRequest, type OrderSummary } from '@/api/orders'
import { savedCardsQuery, type SavedCard } from '@/api/saved-cards'
import { currentLocale } from '@/i18n/i18n'
import { externalUrl } from '@/lib/external-url'
import { leavePage } from '@/lib/leave-page'
import { beginLeaving } from '@/lib/leaving'
import { toHryvnias, type Kopiykas } from '@/lib/money'
import { wait } from '@/lib/wait'
import { showToast } from '@/ui/toast'

import { destinationOf, isDefinite, isLost, payOutcomeOf, type Destination, type PayOutcome } from './outcome'
import { endPayIntent, isPayIntentOpen, renewPayIntent, restorePayIntent, sendPayIntent } from './pay-intent'

/** The client whose payments are paid, and the sum shown. */
export interface PaidGroup {
  readonly clientId: string
  readonly clientName: string
  readonly sum: Kopiykas
}

export type Method =
  | { readonly kind: 'saved-card'; readonly card: SavedCard }
  | { readonly kind: 'bank-page' }

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
  | { readonly kind: 'leaving'; readonly to: 'bank' | 'archive' | 'order' }

/** How long the redirecting state is shown after a saved card was charged (specification, REDIRECT_DELAY_MS). */
const REDIRECT_DELAY_MS = 3000

/** The pauses before the retries of a lost answer. */
const REPEAT_AFTER_MS = [1000, 3000] as const

/** Logs the message that the specification requires (point 8). */
function tellTokenFailure(): void {
  // oxlint-disable-next-line no-console
  console.error('Помилка оплати токеном')
}

/** One attempt. Its outcome is recorded as open before it is sent, so that a reload knows of it. */
async function tryOnce(clientId: string, body: CreateOrderRequest): Promise<OrderSummary> {
  const intent = sendPayIntent(clientId)
  try {
    return await createOrder(body, intent.key)
  } catch (failure) {
    // A refusal settles its own attempt only; an earlier unanswered one stays open.
    if (failure instanceof Refusal) restorePayIntent(clientId, intent)
    throw failure
  }
}

export interface Checkout {
  readonly group: PaidGroup | null
  readonly stage: Stage
  /** The popup with the saved cards. */
  readonly open: (group: PaidGroup) => Promise<void>
  readonly pay: (group: PaidGroup, method: Method) => Promise<void>
  readonly close: () => void
}

function requestOf({ clientId, sum }: PaidGroup, method: Method): CreateOrderRequest {
  return method.kind === 'saved-card'
    ? // The language of an order paid by a saved card is always Ukrainian (specification, point 4).
      {
        client_id: clientId,
        token_id: method.card.Token,
        pan: method.card.MaskPan,
        locale: 'uk',
        sum: toHryvnias(sum),
      }
    : { client_id: clientId, locale: currentLocale(), sum: toHryvnias(sum) }
}

/**
 * Leads from the Pay button to the acquirer's page or the order. Creates exactly one order, however often the button is
 * pressed.
 */
export function useCheckout(): Checkout {
  const { t } = useLingui()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [group, setGroup] = useState<PaidGroup | null>(null)
  const [stage, setStage] = useState<Stage>({ kind: 'idle' })
  // A state would be updated too late for the second click of a double click.
  const busy = useRef(false)
  // No redirect if the person has left the page meanwhile.
  const left = useRef(false)
  useEffect(() => {
    left.current = false
    return () => {
      left.current = true
    }
  }, [])

  async function open(wanted: PaidGroup) {
    if (busy.current) return
    busy.current = true
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

  /** Creates the order. After a lost answer the request is repeated with the same key, which never creates a second order. */
  async function ask(wanted: PaidGroup, method: Method): Promise<OrderSummary> {
    const body = requestOf(wanted, method)
    for (const pause of REPEAT_AFTER_MS) {
      try {
        // The attempts must be sequential.
        // oxlint-disable-next-line no-await-in-loop
        return await tryOnce(wanted.clientId, body)
      } catch (failure) {
        if (!isLost(failure)) throw failure
        setStage({ kind: 'paying', method, repeating: true })
        // oxlint-disable-next-line no-await-in-loop
        await wait(pause)
      }
    }
    return tryOnce(wanted.clientId, body)
  }

  /** The existing order, created by this attempt, by an earlier one whose answer was lost, or in another tab. */
  async function orderOf(
    wanted: PaidGroup,
    method: Method,
  ): Promise<{ order: OrderSummary; existing: boolean }> {
    try {
      return { order: await ask(wanted, method), existing: false }
    } catch (failure) {
      if (!(failure instanceof Refusal)) throw failure
      // The key has created an order with another card; a new key is answered with that order.
      if (failure.key === 'idempotency_key_reused') {
        renewPayIntent(wanted.clientId)
        return orderOf(wanted, method)
      }
      if (isDefinite(failure) && !isPayIntentOpen(wanted.clientId)) endPayIntent(wanted.clientId)
      if (failure.key === 'cart_already_ordered' && failure.extra.order) {
        return { order: failure.extra.order, existing: true }
      }
      throw failure
    }
  }

  async function go(destination: Destination) {
    const { orderId } = destination.kind === 'archive' ? { orderId: '' } : destination
    const toOrder = (page: 'error' | 'payment-status') =>
      navigate({ to: `/order/$id/${page}`, params: { id: orderId }, replace: true })
    switch (destination.kind) {
      case 'archive':
        setStage({ kind: 'leaving', to: 'archive' })
        await wait(REDIRECT_DELAY_MS)
        await navigate({ to: '/archive', replace: true })
        break
      case 'order':
        setStage({ kind: 'leaving', to: 'order' })
        await toOrder(destination.page)
        break
      case 'bank': {
        setStage({ kind: 'leaving', to: 'bank' })
        const address = externalUrl(destination.address)
        if (address !== null) beginLeaving()
        // Back from the bank's page must lead to the order's status, not to a cart that could be paid again.
        await toOrder('payment-status')
        if (address !== null) leavePage(address)
        break
      }
    }
  }

  function tellMade({ id, number }: OrderSummary) {
    showToast({
      text: t`Замовлення № ${number} створено`,
      action: {
        label: t`Відкрити`,
        onSelect: () => void navigate({ to: '/order/$id/payment-status', params: { id } }),
      },
    })
  }

  async function pay(wanted: PaidGroup, method: Method) {
    if (busy.current) return
    busy.current = true
    setGroup(wanted)
    setStage({ kind: 'paying', method, repeating: false })
    try {
      const { order, existing } = await orderOf(wanted, method)
      endPayIntent(wanted.clientId)
      if (method.kind === 'saved-card' && order.status === 'failed') tellTokenFailure()
      if (left.current) tellMade(order)
      else
        await go(
          existing
            ? { kind: 'order', orderId: order.id, page: 'payment-status' }
            : destinationOf(order, method.kind),
        )
      // The group has left the cart.
      void queryClient.invalidateQueries({ queryKey: cartQuery().queryKey })
      void queryClient.invalidateQueries({ queryKey: cartCountQuery().queryKey })
      setStage({ kind: 'idle' })
    } catch (failure) {
      const outcome = payOutcomeOf(failure, isPayIntentOpen(wanted.clientId))
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
    open,
    pay,
    close: () => {
      if (!busy.current) setStage({ kind: 'idle' })
    },
  }
}
