import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

/** Where an order or its item stands, as the wire has it. */
export type OrderStatus = 'in_progress' | 'pending' | 'paid' | 'failed' | 'expired' | 'refunded'

export const ORDER_STATUSES: readonly OrderStatus[] = [
  'in_progress',
  'pending',
  'paid',
  'failed',
  'expired',
  'refunded',
]

/** The status in a word or two, for marks and filters. */
export const orderStatusText: Record<OrderStatus, MessageDescriptor> = {
  in_progress: msg`Обробляється`,
  pending: msg`Очікує оплати`,
  paid: msg`Сплачено`,
  failed: msg`Не сплачено`,
  expired: msg`Строк минув`,
  refunded: msg`Повернено`,
}

/** How a mark of the status looks: the seal of a paid order, and the rest quieter. */
export const orderStatusTone: Record<OrderStatus, 'success' | 'waiting' | 'failure' | 'neutral'> = {
  in_progress: 'waiting',
  pending: 'waiting',
  paid: 'success',
  failed: 'failure',
  expired: 'neutral',
  refunded: 'neutral',
}

/** A payment of this order may still succeed: nothing may invite a second one (readings, "Orders"). */
export function isUnderWay(status: OrderStatus): boolean {
  return status === 'pending' || status === 'in_progress'
}
