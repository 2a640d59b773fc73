import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Navigate, redirect } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'

import { NetworkFailure, Refusal } from '@/api/failure'
import { orderDetailsQuery } from '@/api/order-details'
import { orderQuery, type Order } from '@/api/orders'
import { queryClient } from '@/api/query-client'

import type { Asked } from './ask-again'
import { tellNotLoaded } from './not-loaded'
import { resultPageOf, type ResultPage } from './result-page'
import { WholeOrder } from './whole-order'

/**
 * Loads the order with its current status, also when the page is opened again much later. Where it can't be loaded, the archive is
 * opened and says so (specification, point 4).
 */
export async function loadResult({
  params: { id },
}: {
  readonly params: { readonly id: string }
}): Promise<void> {
  // The page is shown without them, too.
  void queryClient.prefetchQuery(orderDetailsQuery(id))
  try {
    await queryClient.fetchQuery(orderQuery(id))
  } catch (failure) {
    // Whose session has ended is led to the login; without a connection the page waits for it and goes on by itself.
    if (failure instanceof NetworkFailure || (failure instanceof Refusal && failure.status === 401))
      throw failure
    tellNotLoaded()
    throw redirect({ to: '/archive', replace: true })
  }
}

const orderRoute = getRouteApi('/signed-in/order/$id')

interface BoundOrderProps {
  readonly page: ResultPage
  /** The polling interval in milliseconds; false for none. A hidden tab is not polled. */
  readonly askAgainAfter?: (order: Order, soFar: Asked) => number | false
  readonly children: (order: Order) => ReactNode
}

/** Renders the page if it fits the order's status, otherwise redirects to the page that does. */
export function BoundOrder({ page, askAgainAfter, children }: BoundOrderProps) {
  const { id } = orderRoute.useParams()
  const [openedAt] = useState(() => Date.now())
  const { data: order } = useSuspenseQuery({
    ...orderQuery(id),
    refetchInterval: ({ state: { data, dataUpdateCount: times } }) =>
      (data !== undefined && askAgainAfter?.(data, { times, openForMs: Date.now() - openedAt })) || false,
  })
  const own = resultPageOf(order.status)
  if (own !== page) return <Navigate to={`/order/$id/${own}`} params={{ id }} replace />
  return <WholeOrder order={order}>{children(order)}</WholeOrder>
}
