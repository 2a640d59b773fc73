import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

import type { OrderStatus } from './order-statuses'

type Tone = 'success' | 'waiting' | 'failure' | 'neutral'

/** The status in a word or two, and how its mark looks: the seal of a paid order, and the rest quieter. */
const looks: Record<OrderStatus, { readonly text: MessageDescriptor; readonly tone: Tone }> = {
  in_progress: { text: msg`Обробляється`, tone: 'waiting' },
  pending: { text: msg`Очікує оплати`, tone: 'waiting' },
  paid: { text: msg`Сплачено`, tone: 'success' },
  failed: { text: msg`Не сплачено`, tone: 'failure' },
  expired: { text: msg`Строк минув`, tone: 'neutral' },
  refunded: { text: msg`Повернено`, tone: 'neutral' },
}

/** Of a server that is newer than this page. */
const unfamiliar = { text: msg`Статус невідомий`, tone: 'neutral' } as const

/** Of an order whose money is being looked into: what its status says may be wrong. */
const underReview = { text: msg`Перевіряється`, tone: 'waiting' } as const

/** How a status is shown. */
export interface StatusLook {
  readonly text: MessageDescriptor
  readonly tone: Tone
}

/** The status for marks and filters. */
export function orderStatusLook(status: OrderStatus): StatusLook {
  return Object.hasOwn(looks, status) ? looks[status] : unfamiliar
}

interface OrderStanding {
  readonly status: OrderStatus
  readonly payment_state: string
}

/** The mark of an order. */
export function orderLook({ status, payment_state }: OrderStanding): StatusLook {
  return payment_state === 'under_review' ? underReview : orderStatusLook(status)
}

/** The mark of an item, by its own status if it has one. */
export function itemLook(item: { readonly status?: OrderStatus | null }, order: OrderStanding): StatusLook {
  return orderLook({ status: itemStatus(item, order), payment_state: order.payment_state })
}

/** An item's own status if it has one, otherwise its order's (specification, point 4). */
export function itemStatus(
  item: { readonly status?: OrderStatus | null },
  order: { readonly status: OrderStatus },
): OrderStatus {
  return item.status ?? order.status
}
