import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { Suspense } from 'react'

import type { Order } from '@/api/orders'
import { foldsOf } from '@/api/payment-state'
import { useDownloads } from '@/api/use-download'
import { longMoment } from '@/lib/dates'
import { later } from '@/lib/later'
import { useLocale } from '@/lib/use-locale'
import { Folds } from '@/ui/folds'
import { RecordTable } from '@/ui/record-table'

import { UpdateStatus } from '../update-status'
import { ItemRow, useArchiveColumns } from './item-row'
import { OrderFoot } from './order-foot'

const OrderFile = later(async () => (await import('@/forms/order-file/load')).loadOrderFile())

interface OpenedOrderProps {
  readonly order: Order
}

/** What a row of the archive shows when it is opened: the payments of the order, its file, its total and its actions. */
export function OpenedOrder({ order }: OpenedOrderProps) {
  const { t } = useLingui()
  const downloads = useDownloads()
  const columns = useArchiveColumns()
  const { number } = order
  return (
    <div className="border-t border-rule px-4 pt-4 pb-6 sm:px-6">
      <div className="mb-5 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <OrderFacts order={order} />
        <UpdateStatus order={order} />
      </div>
      <RecordTable roomy caption={t`Платежі замовлення № ${number}`} columns={columns}>
        {order.items.map((item) => (
          <ItemRow key={item.id} item={item} order={order} downloads={downloads} />
        ))}
      </RecordTable>
      <Suspense fallback={<Folds count={foldsOf(order)} />}>
        <OrderFile order={order} />
      </Suspense>
      <div className="mt-4 border-t border-rule pt-4">
        <OrderFoot order={order} downloads={downloads} />
      </div>
    </div>
  )
}

/** Whom the order is for, and when and by which card it was paid. */
function OrderFacts({ order }: OpenedOrderProps) {
  const locale = useLocale()
  const { full_name: name, inn: code } = order.client
  const created = longMoment(order.created_at, locale)
  const paid = order.paid_at === null ? null : longMoment(order.paid_at, locale)
  const card = order.pan
  return (
    <div className="min-w-0 text-sm">
      <p className="text-base font-semibold wrap-anywhere">{name}</p>
      <p>
        <Trans>Код клієнта {code}</Trans>
      </p>
      <p className="mt-1 text-ink-soft">
        <Trans>Створено {created}</Trans>
        {paid !== null && (
          <>
            {', '}
            <Trans>сплачено {paid}</Trans>
          </>
        )}
        {card !== null && (
          <>
            {', '}
            <Trans>картка {card}</Trans>
          </>
        )}
      </p>
      <p className="mt-1">
        <Link to="/order/$id" params={{ id: order.id }} className="link">
          <Trans>Сторінка замовлення</Trans>
        </Link>
      </p>
    </div>
  )
}
