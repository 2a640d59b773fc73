import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

import type { OrderStatus } from './order-statuses'

type Tone = 'success' | 'waiting' | 'failure' | 'neutral'

/** The look of each status. */
const looks: Record<OrderStatus, { readonly text: MessageDescriptor; readonly tone: Tone }> = {
  in_progress: { text: msg`Обробляється`, tone: 'waiting' },
  pending: { text: msg`Очікує оплати`, tone: 'waiting' },
  paid: { text: msg`Сплачено`, tone: 'success' },
  failed: { text: msg`Не сплачено`, tone: 'failure' },
  expired: { text: msg`Строк минув`, tone: 'neutral' },
  refunded: { text: msg`Повернено`, tone: 'neutral' },
}

/** A status that only a newer server knows. */
const unfamiliar = { text: msg`Статус невідомий`, tone: 'neutral' } as const

/** The order's money is under review, so its status may be wrong. */
const underReview = { text: msg`Перевіряється`, tone: 'waiting' } as const

/** Paid by QR codes, past the service. */
const byCodes = { text: msg`Сплачено за QR-кодами`, tone: 'success' } as const

/** The notary has cancelled the order. */
const cancelled = { text: msg`Скасовано`, tone: 'neutral' } as const

/** The text of a status and the tone of its mark. */
export interface StatusLook {
  readonly text: MessageDescriptor
  readonly tone: Tone
}

/** The look of a status, for marks and filters. */
export function orderStatusLook(status: OrderStatus): StatusLook {
  return Object.hasOwn(looks, status) ? looks[status] : unfamiliar
}

interface OrderStanding {
  readonly status: OrderStatus
  readonly payment_state: string
  readonly failure?: string | null
  readonly paid_by?: string | null
}

/** The look of an order. */
export function orderLook({ status, payment_state, failure, paid_by }: OrderStanding): StatusLook {
  if (payment_state === 'under_review') return underReview
  if (paid_by === 'codes') return byCodes
  return failure === 'order_cancelled' ? cancelled : orderStatusLook(status)
}

/** The look of an item: that of its own status, or of its order's. */
export function itemLook(item: { readonly status?: OrderStatus | null }, order: OrderStanding): StatusLook {
  return orderLook({ ...order, status: itemStatus(item, order) })
}

/** The status of an item: its own, or its order's (specification, point 4). */
export function itemStatus(
  item: { readonly status?: OrderStatus | null },
  order: { readonly status: OrderStatus },
): OrderStatus {
  return item.status ?? order.status
}
