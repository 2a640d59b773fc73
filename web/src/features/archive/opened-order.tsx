import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense, useRef, type ReactNode } from 'react'

import { Refusal, type MessageKey } from '@/api/failure'
import type { OrderList } from '@/api/order-cache'
import { loadOrderStatus, ordersKey, type Order } from '@/api/orders'
import { foldsOf, isPayable, paymentStateOf } from '@/api/payment-state'
import { orderReceipt, orderReceipts } from '@/api/receipts'
import { useDownloads } from '@/api/use-download'
import { usePayAgain } from '@/api/use-pay-again'
import { failureText, messageText } from '@/i18n/message-texts'
import { longMoment } from '@/lib/dates'
import { externalUrl } from '@/lib/external-url'
import { later } from '@/lib/later'
import { fromHryvnias } from '@/lib/money'
import { orderLook } from '@/lib/order-status'
import { useLocale } from '@/lib/use-locale'
import { Button, buttonClass } from '@/ui/button'
import { Folds } from '@/ui/folds'
import { Icon } from '@/ui/icons'
import { announce } from '@/ui/live-region'
import { Menu } from '@/ui/menu'
import { Notice } from '@/ui/notice'
import { RecordTable } from '@/ui/record-table'
import { Spinner } from '@/ui/spinner'
import { Sum } from '@/ui/sum'
import { useFocusAfter } from '@/ui/use-focus-after'

import { ItemRow, useArchiveColumns } from './item-row'
import { withStatus } from './merge-status'
import { OrderActions } from './order-actions'

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
      <RecordTable caption={t`Платежі замовлення № ${number}`} columns={columns}>
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
    </div>
  )
}

/** A button that asks the bank for the status, which the row shows. */
function UpdateStatus({ order }: { readonly order: Order }) {
  const { t, i18n } = useLingui()
  const queryClient = useQueryClient()
  const { number } = order
  const update = useMutation({
    mutationFn: () => loadOrderStatus(order.id),
    onSuccess: (answer) => {
      queryClient.setQueriesData<OrderList>(
        { queryKey: ordersKey.lists },
        (data) => data && withStatus(data, order.id, answer),
      )
      const status = i18n._(orderLook(answer).text)
      announce(t`Замовлення № ${number}: ${status}`)
    },
  })
  return (
    <div className="flex flex-col items-start gap-1">
      <Button
        size="small"
        icon="refresh"
        loading={update.isPending}
        aria-label={t`Оновити статус замовлення № ${number}`}
        onClick={() => update.mutate()}
      >
        <Trans>Оновити статус</Trans>
      </Button>
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
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="flex flex-wrap items-baseline gap-x-4">
          <span className="text-ink-soft">
            <Plural value={itemsCount} one="# платіж" few="# платежі" many="# платежів" other="# платежу" />
          </span>
          <Sum value={fromHryvnias(order.sum)} size="total" />
        </p>
        <OrderActions order={order}>
          {order.status === 'paid' && <ReceiptsMenu order={order} downloads={downloads} />}
          {order.status !== 'paid' && <PayUnpaid order={order} />}
        </OrderActions>
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
            label: t`Квитанція про сплату`,
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

/** After these refusals another payment would be refused or must not be made. */
const FINAL_KEYS: ReadonlySet<MessageKey> = new Set([
  'order_under_review',
  'order_returned_to_cart',
  'payment_outcome_unknown',
])

/** The warning to show before another payment, if any. */
function warningOf(order: Order): MessageKey | null {
  if (paymentStateOf(order) === 'under_review') return 'order_under_review'
  const { failure } = order
  return failure === 'order_returned_to_cart' || failure === 'payment_no_trace' ? failure : null
}

/** Offers to pay an unpaid order: on the bank's page while it is open, otherwise by a new link. */
function PayUnpaid({ order }: { readonly order: Order }) {
  const { i18n } = useLingui()
  const again = usePayAgain(order.id)
  const returned = again.returnedToCart || order.failure === 'order_returned_to_cart'
  const refused = again.failure instanceof Refusal && FINAL_KEYS.has(again.failure.key)
  const payable = !returned && !refused && isPayable(order)
  const cartLink = useRef<HTMLAnchorElement>(null)
  useFocusAfter(again.answered && !payable, cartLink)
  const openPage = paymentStateOf(order) === 'declined_page_open' ? externalUrl(order.widget_url) : null
  if (payable && openPage !== null) {
    return (
      <a href={openPage} target="_blank" rel="noopener noreferrer" className={buttonClass()}>
        <Icon name="external" size={20} />
        <Trans>Повернутися до оплати</Trans>
      </a>
    )
  }
  const warning = warningOf(order)
  const text =
    again.failure !== null
      ? failureText(again.failure, i18n)
      : warning === null
        ? null
        : messageText(warning, i18n)
  if (!payable && text === null) return null
  return (
    <div className="flex flex-col items-start gap-2">
      {payable && (
        <Button icon="external" loading={again.pending} onClick={again.start}>
          <Trans>Повторити спробу оплати</Trans>
        </Button>
      )}
      {text !== null && (
        <p role={again.failure === null ? undefined : 'alert'} className="text-sm text-danger">
          {text}
        </p>
      )}
      {returned && (
        <Link ref={cartLink} to="/cart" className={buttonClass()}>
          <Trans>До кошика</Trans>
        </Link>
      )}
    </div>
  )
}
