import { withOrder, type OrderList } from '@/api/order-cache'
import type { Order, OrderStatusAnswer } from '@/api/orders'

function merged(order: Order, { status, payment_state, items }: OrderStatusAnswer): Order {
  const known = new Map(items.map((item) => [item.id, item.status]))
  return {
    ...order,
    status,
    payment_state,
    // An item that the answer does not list has the status of its order.
    items: order.items.map((item) => ({ ...item, status: known.get(item.id) ?? status })),
  }
}

/** Returns the list with the new status of one order and its items (specification, point 4). */
export function withStatus(data: OrderList, orderId: string, answer: OrderStatusAnswer): OrderList {
  return withOrder(data, orderId, (order) => merged(order, answer))
}
