import type { InfiniteData } from '@tanstack/react-query'

import type { Order, OrderStatus, PaymentState } from '@/api/orders'

interface OrdersPage {
  readonly orders: Order[]
  readonly next: string | null
}

/** What `GET /order/{id}/status` tells. */
export interface StatusAnswer {
  readonly status: OrderStatus
  readonly payment_state: PaymentState
  readonly items: readonly { readonly id: string; readonly status: OrderStatus }[]
}

function merged(order: Order, { status, payment_state, items }: StatusAnswer): Order {
  const known = new Map(items.map((item) => [item.id, item.status]))
  return {
    ...order,
    status,
    payment_state,
    // An item that the answer does not name stands where its order stands.
    items: order.items.map((item) => ({ ...item, status: known.get(item.id) ?? status })),
  }
}

/** The loaded pages with the new status of one order and of its items (specification, point 4). */
export function withStatus<Page extends OrdersPage, Cursor>(
  data: InfiniteData<Page, Cursor>,
  orderId: string,
  answer: StatusAnswer,
): InfiniteData<Page, Cursor> {
  return {
    ...data,
    pages: data.pages.map((page) => ({
      ...page,
      orders: page.orders.map((order) => (order.id === orderId ? merged(order, answer) : order)),
    })),
  }
}
