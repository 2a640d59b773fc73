import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'

import type { Order, OrderItem } from '@/api/orders'
import { itemReceipt } from '@/api/receipts'
import type { Downloads } from '@/api/use-download'
import { shortDate, timeOfDay } from '@/lib/dates'
import { fromHryvnias } from '@/lib/money'
import { itemLook, itemStatus } from '@/lib/order-status'
import { paymentKindText } from '@/lib/payment-kind'
import { buttonClass } from '@/ui/button'
import { Icon } from '@/ui/icons'
import { Menu } from '@/ui/menu'
import { RecordCell, RecordRow, type RecordColumn } from '@/ui/record-table'
import { SlashedName } from '@/ui/slashed-name'
import { Spinner } from '@/ui/spinner'
import { StatusMark } from '@/ui/status-mark'
import { Sum } from '@/ui/sum'

import { PayLink } from './pay-link'

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

/** What can be done with a payment in its status. `name` tells it from others. */
export function ItemActions({ item, order, downloads, name }: ItemRowProps & { readonly name: string }) {
  const { t } = useLingui()
  const { id } = item
  const status = itemStatus(item, order)
  const small = buttonClass({ size: 'small' })
  const loading = [...downloads.running].some((wanted) => wanted.startsWith(`${id} `))
  return (
    <div className="flex flex-wrap justify-end gap-2 @max-2xl:justify-start @2xl:-my-1.5 @3xl:flex-nowrap">
      {loading && (
        <span className="flex items-center">
          <Spinner label={t`Завантажуємо квитанцію…`} />
        </span>
      )}
      {status === 'paid' && (
        <Menu
          size="small"
          align="end"
          icon="print"
          label={t`Квитанція`}
          accessibleLabel={t`Квитанція: ${name}`}
          items={[
            {
              id: 'payment',
              label: t`Квитанція про сплату`,
              onSelect: () =>
                downloads.start({ name: `${id} payment`, load: () => itemReceipt(id, 'payment') }),
            },
            {
              id: 'commission',
              label: t`Квитанція про комісію`,
              onSelect: () =>
                downloads.start({ name: `${id} commission`, load: () => itemReceipt(id, 'commission') }),
            },
          ]}
        />
      )}
      {status === 'pending' && <PayLink order={order} />}
      {status !== 'in_progress' && (
        <Link to="/" search={{ repeat_item_id: id }} className={small} aria-label={t`Повторити: ${name}`}>
          <Icon name="repeat" size={18} className="shrink-0" />
          <Trans>Повторити</Trans>
        </Link>
      )}
    </div>
  )
}
