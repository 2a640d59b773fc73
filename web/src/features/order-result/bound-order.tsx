import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Navigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'

import { orderQuery, type Order } from '@/api/orders'
import { queryClient } from '@/api/query-client'

import type { Asked } from './ask-again'
import { resultPageOf, type ResultPage } from './result-page'

/** The order as the bank knows it now: a page reopened next week shows the truth. An unknown order is not found. */
export async function loadResult({
  params: { id },
}: {
  readonly params: { readonly id: string }
}): Promise<void> {
  await queryClient.fetchQuery(orderQuery(id))
}

const orderRoute = getRouteApi('/signed-in/order/$id')

interface BoundOrderProps {
  readonly page: ResultPage
  /** How long until the order is asked for again; false: not by itself. Nothing is asked while nobody looks. */
  readonly askAgainAfter?: (order: Order, soFar: Asked) => number | false
  readonly children: (order: Order) => ReactNode
}

/** Draws the page for an order of its status, and leads every other order to the page of its own. */
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
  return children(order)
}
