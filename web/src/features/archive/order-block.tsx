import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient, type InfiniteData } from '@tanstack/react-query'
import { memo, type ReactNode } from 'react'

import { loadOrderStatus, type Order } from '@/api/orders'
import { orderReceipt, orderReceipts } from '@/api/receipts'
import { useDownloads } from '@/api/use-download'
import { usePayAgain } from '@/api/use-pay-again'
import { failureText } from '@/i18n/message-texts'
import { fromHryvnias } from '@/lib/money'
import { orderStatusText, orderStatusTone } from '@/lib/order-status'
import { Button } from '@/ui/button'
import { announce } from '@/ui/live-region'
import { Menu } from '@/ui/menu'
import { Notice } from '@/ui/notice'
import { RecordTable } from '@/ui/record-table'
import { Sheet } from '@/ui/sheet'
import { Spinner } from '@/ui/spinner'
import { StatusMark } from '@/ui/status-mark'
import { Sum } from '@/ui/sum'

import { ItemRow, useArchiveColumns } from './item-row'
import { withStatus } from './merge-status'

/** One order: its client, its payments, what they came to, and what can be done with them. */
export const OrderBlock = memo(function OrderBlock({ order }: { readonly order: Order }) {
  const { t } = useLingui()
  const downloads = useDownloads()
  const columns = useArchiveColumns()
  const { number, client } = order
  const code = client.inn
  return (
    <Sheet
      aria-label={t`Замовлення № ${number}`}
      heading={client.full_name}
      caption={
        <Trans>
          Замовлення № {number}, код клієнта {code}
        </Trans>
      }
      aside={<UpdateStatus order={order} />}
      foot={<OrderFoot order={order} downloads={downloads} />}
      className="drawn-when-near"
    >
      <RecordTable caption={t`Платежі замовлення № ${number}`} columns={columns}>
        {order.items.map((item) => (
          <ItemRow key={item.id} item={item} order={order} downloads={downloads} />
        ))}
      </RecordTable>
    </Sheet>
  )
})

/** Where the order stands, and asking the bank about it. */
function UpdateStatus({ order }: { readonly order: Order }) {
  const { t, i18n } = useLingui()
  const queryClient = useQueryClient()
  const { number } = order
  const update = useMutation({
    mutationFn: () => loadOrderStatus(order.id),
    onSuccess: (answer) => {
      queryClient.setQueriesData<InfiniteData<{ orders: Order[]; next: string | null }>>(
        { queryKey: ['orders', 'list'] },
        (data) => data && withStatus(data, order.id, answer),
      )
      const status = i18n._(orderStatusText[answer.status])
      announce(t`Замовлення № ${number}: ${status}`)
    },
  })
  return (
    <div className="flex flex-col items-start gap-1">
      <div className="flex flex-wrap items-center gap-3">
        <StatusMark tone={orderStatusTone[order.status]}>{i18n._(orderStatusText[order.status])}</StatusMark>
        <Button
          size="small"
          icon="refresh"
          loading={update.isPending}
          aria-label={t`Оновити статус замовлення № ${number}`}
          onClick={() => update.mutate()}
        >
          <Trans>Оновити статус</Trans>
        </Button>
      </div>
      {update.error !== null && (
        <p role="alert" className="text-sm text-danger">
          {failureText(update.error, i18n)}
        </p>
      )}
    </div>
  )
}

interface OrderFootProps {
  readonly order: Order
  readonly downloads: ReturnType<typeof useDownloads>
}

function OrderFoot({ order, downloads }: OrderFootProps) {
  const { i18n } = useLingui()
  const itemsCount = order.items.length
  const payable = order.status === 'failed' || order.status === 'expired'
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="flex flex-wrap items-baseline gap-x-4">
          <span className="text-ink-soft">
            <Plural value={itemsCount} one="# платіж" few="# платежі" many="# платежів" other="# платежу" />
          </span>
          <Sum value={fromHryvnias(order.sum)} size="total" />
        </p>
        {order.status === 'paid' && <ReceiptsMenu order={order} downloads={downloads} />}
        {payable && <PayAgainButton orderId={order.id} />}
      </div>
      {downloads.failure !== null && (
        <Failed title={<Trans>Квитанцію не завантажено</Trans>}>
          {failureText(downloads.failure, i18n)}
        </Failed>
      )}
    </div>
  )
}

function Failed({ title, children }: { readonly title: ReactNode; readonly children: ReactNode }) {
  return (
    <Notice tone="error" title={title}>
      {children}
    </Notice>
  )
}

function ReceiptsMenu({ order, downloads }: OrderFootProps) {
  const { t } = useLingui()
  const { id, number } = order
  const running = [...downloads.running].some((name) => name.startsWith(`${id} `))
  return (
    <span className="inline-flex items-center gap-3">
      {running && <Spinner label={t`Завантажуємо квитанцію…`} />}
      <Menu
        align="end"
        icon="download"
        label={t`Завантажити квитанції`}
        accessibleLabel={t`Завантажити квитанції замовлення № ${number}`}
        items={[
          {
            id: 'payment',
            icon: 'receipt',
            label: t`Квитанція про платіж`,
            onSelect: () =>
              downloads.start({ name: `${id} payment`, load: () => orderReceipt(id, 'payment') }),
          },
          {
            id: 'commission',
            icon: 'receipt',
            label: t`Квитанція про комісію`,
            onSelect: () =>
              downloads.start({ name: `${id} commission`, load: () => orderReceipt(id, 'commission') }),
          },
          {
            id: 'all',
            icon: 'archive',
            label: t`Усі квитанції (ZIP)`,
            onSelect: () => downloads.start({ name: `${id} all`, load: () => orderReceipts(id) }),
          },
        ]}
      />
    </span>
  )
}

/** A failed or expired order can be paid by a fresh link. */
function PayAgainButton({ orderId }: { readonly orderId: string }) {
  const { i18n } = useLingui()
  const again = usePayAgain(orderId)
  return (
    <div className="flex flex-col items-start gap-2">
      <Button icon="external" loading={again.pending} onClick={again.start}>
        <Trans>Сплатити ще раз</Trans>
      </Button>
      {again.failure !== null && (
        <p role="alert" className="text-sm text-danger">
          {failureText(again.failure, i18n)}
        </p>
      )}
    </div>
  )
}
