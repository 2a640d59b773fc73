import { useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

import type { OrderSummary } from '@/api/orders'
import { externalUrl } from '@/lib/external-url'
import { leavePage } from '@/lib/leave-page'
import { beginLeaving } from '@/lib/leaving'
import { wait } from '@/lib/wait'
import { showToast } from '@/ui/toast'

import type { Destination } from './outcome'

/** How long the redirecting state is shown after a payment by a saved card (specification, REDIRECT_DELAY_MS). */
const REDIRECT_DELAY_MS = 3000

/** Whether the redirecting state is shown for its whole time. */
const WAITS: Record<Destination['kind'], boolean> = {
  archive: true,
  cart: true,
  declined: true,
  bank: false,
  order: false,
}

interface FollowOrder {
  readonly follow: (order: OrderSummary, destination: Destination) => Promise<void>
  /** Ends the redirecting state before its time. */
  readonly hurry: () => void
}

/**
 * Returns a function that leads to the destination of a created order. Where the person has left the page meanwhile, it does not
 * redirect and only shows a notice with a link to the order. `onLeave` is called when the redirect begins.
 */
export function useFollowOrder(onLeave: (to: Destination['kind']) => void): FollowOrder {
  const { t } = useLingui()
  const navigate = useNavigate()
  const left = useRef(false)
  const hurry = useRef<(() => void) | null>(null)
  useEffect(() => {
    left.current = false
    return () => {
      left.current = true
    }
  }, [])

  const openOrder = (id: string, page: 'error' | 'payment-status') =>
    navigate({ to: `/order/$id/${page}`, params: { id }, replace: true })

  async function redirect(destination: Destination) {
    switch (destination.kind) {
      case 'archive':
        await navigate({ to: '/archive', replace: true })
        break
      case 'cart':
        break
      case 'declined':
        await openOrder(destination.orderId, 'error')
        break
      case 'order':
        await openOrder(destination.orderId, destination.page)
        break
      case 'bank': {
        const address = externalUrl(destination.address)
        if (address !== null) beginLeaving()
        // Back from the bank's page must lead to the order's status, not to a cart that could be paid again.
        await openOrder(destination.orderId, 'payment-status')
        if (address !== null) leavePage(address)
        break
      }
    }
  }

  function showCreated({ id, number }: OrderSummary) {
    showToast({
      text: t`Замовлення № ${number} створено`,
      action: {
        label: t`Відкрити`,
        onSelect: () => void navigate({ to: '/order/$id/payment-status', params: { id } }),
      },
    })
  }

  async function follow(order: OrderSummary, destination: Destination) {
    if (!left.current) {
      onLeave(destination.kind)
      if (WAITS[destination.kind]) {
        const hurried = new Promise<void>((resolve) => {
          hurry.current = resolve
        })
        await Promise.race([wait(REDIRECT_DELAY_MS), hurried])
      }
    }
    // The person may also have left during the wait.
    if (left.current) showCreated(order)
    else await redirect(destination)
  }

  return { follow, hurry: () => hurry.current?.() }
}
