import { useLingui } from '@lingui/react/macro'

import type { Order, OrderItem } from '@/api/orders'
import type { Downloads } from '@/api/use-download'
import { shortDate, timeOfDay } from '@/lib/dates'
import { fromHryvnias } from '@/lib/money'
import { itemLook } from '@/lib/order-status'
import { paymentKindText } from '@/lib/payment-kind'
import { RecordCell, RecordRow, type RecordColumn } from '@/ui/record-table'
import { SlashedName } from '@/ui/slashed-name'
import { StatusMark } from '@/ui/status-mark'
import { Sum } from '@/ui/sum'

import { ItemActions } from './item-actions'

/** The columns of the specification. */
export function useArchiveColumns(): readonly RecordColumn[] {
  const { t } = useLingui()
  return [
    { label: t`Створено` },
    { label: t`Платник` },
    { label: t`Вид платежу`, wide: true },
    { label: t`Сума`, align: 'end' },
    { label: t`Статус` },
    { label: t`Дії`, align: 'end' },
  ]
}

interface ItemRowProps {
  readonly item: OrderItem
  readonly order: Order
  readonly downloads: Downloads
}

/** One payment of an order, with what can be done with it in its status. */
export function ItemRow({ item, order, downloads }: ItemRowProps) {
  const { t, i18n } = useLingui()
  const kind = i18n._(paymentKindText[item.payment_type.slug])
  const status = itemLook(item, order)
  return (
    <RecordRow>
      <RecordCell label={t`Створено`} className="whitespace-nowrap">
        {shortDate(item.created_at)}
        <span className="block text-ink-soft @max-2xl:ml-2 @max-2xl:inline">
          {timeOfDay(item.created_at)}
        </span>
      </RecordCell>
      <RecordCell label={t`Платник`} className="min-w-36">
        {order.client.full_name}
      </RecordCell>
      <RecordCell label={t`Вид платежу`}>
        {kind}
        <span className="block text-ink-soft wrap-anywhere">
          {item.payment_type_option?.name ?? <SlashedName name={item.recipient_name ?? ''} />}
        </span>
      </RecordCell>
      <RecordCell label={t`Сума`} align="end">
        <Sum value={fromHryvnias(item.sum_total)} className="font-semibold" />
        {item.count > 1 && (
          <span className="block text-ink-soft whitespace-nowrap">
            {item.count} × <Sum value={fromHryvnias(item.sum_full)} />
          </span>
        )}
      </RecordCell>
      <RecordCell label={t`Статус`}>
        <StatusMark tone={status.tone}>{i18n._(status.text)}</StatusMark>
      </RecordCell>
      <RecordCell align="end">
        <ItemActions item={item} order={order} downloads={downloads} name={kind} />
      </RecordCell>
    </RecordRow>
  )
}
