import { withOrder, type OrderList } from '@/api/order-cache'
import type { Order, OrderStatusAnswer } from '@/api/orders'

function merged(order: Order, answer: OrderStatusAnswer): Order {
  const known = new Map(answer.items.map((item) => [item.id, item.status]))
  return {
    ...order,
    ...answer,
    // An item that the answer does not list has the status of its order.
    items: order.items.map((item) => ({ ...item, status: known.get(item.id) ?? answer.status })),
  }
}

/** Returns the list with the new status of one order and its items (specification, point 4). */
export function withStatus(data: OrderList, orderId: string, answer: OrderStatusAnswer): OrderList {
  return withOrder(data, orderId, (order) => merged(order, answer))
}
