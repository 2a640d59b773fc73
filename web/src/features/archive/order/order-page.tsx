import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'

import { orderDetailsQuery } from '@/api/order-details'
import { queryClient } from '@/api/query-client'

import { PaidOrder } from './paid-order'
import { PendingOrder } from './pending-order'
import { resultPageOf } from './result-page'
import { UnpaidOrder } from './unpaid-order'
import { WholeOrder } from './whole-order'

/** Loads all that is known of the order. An unknown order shows "not found". */
export async function loader({
  params: { id },
}: {
  readonly params: { readonly id: string }
}): Promise<void> {
  await queryClient.fetchQuery(orderDetailsQuery(id))
}

const orderRoute = getRouteApi('/signed-in/order/$id')

const ORDERS = { success: PaidOrder, error: UnpaidOrder, pending: PendingOrder } as const

/** Everything that is known of one order, in each of its states. */
export default function OrderPage() {
  const { id } = orderRoute.useParams()
  const { order } = useSuspenseQuery(orderDetailsQuery(id)).data
  const OrderInState = ORDERS[resultPageOf(order.status)]
  return (
    <WholeOrder order={order}>
      <OrderInState order={order} place="order" />
    </WholeOrder>
  )
}
