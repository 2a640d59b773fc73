import { Trans, useLingui } from '@lingui/react/macro'
import { Suspense, type ReactNode } from 'react'

import type { Order, OrderItem } from '@/api/orders'
import { foldsOf } from '@/api/payment-state'
import { longMoment } from '@/lib/dates'
import { useSumPartsText } from '@/i18n/orders/sum-parts-text'
import { later } from '@/lib/later'
import { fromHryvnias } from '@/lib/money'
import { sumPartsOf } from '@/lib/sum-parts'
import { orderLook, type StatusLook } from '@/lib/order-status'
import { paymentKindText } from '@/lib/payment-kind'
import { useLocale } from '@/lib/use-locale'
import { DescriptionList } from '@/ui/description-list'
import { PageHeading } from '@/ui/page-heading'
import { usePageTitleInstead } from '@/ui/page-title'
import { Folds } from '@/ui/folds'
import { Sheet } from '@/ui/sheet'
import { SlashedName } from '@/ui/slashed-name'
import { StatusMark } from '@/ui/status-mark'
import { Sum } from '@/ui/sum'

const OrderFile = later(async () => (await import('@/forms/order-file/load')).loadOrderFile())

interface OrderDocumentProps {
  readonly order: Order
  /** The heading of the page and the title of its tab. */
  readonly title: string
  /** A sentence under the heading. */
  readonly lead?: ReactNode
  /** The status mark, if it differs from that of the order's status. */
  readonly mark?: StatusLook
  /** The meaning of the state and the next steps. */
  readonly children: ReactNode
  /** Buttons at the foot; not printed. */
  readonly actions: ReactNode
}

/** The result of an order as a printable document: number, sum, date, payer and payments. */
export function OrderDocument({
  order,
  title,
  lead,
  mark = orderLook(order),
  children,
  actions,
}: OrderDocumentProps) {
  usePageTitleInstead(title)
  const { t, i18n } = useLingui()
  const { number } = order
  const partsText = useSumPartsText()
  return (
    <div className="flex flex-col gap-6">
      <PageHeading
        caption={<Trans>Замовлення № {number}</Trans>}
        lead={lead}
        aside={<StatusMark tone={mark.tone}>{i18n._(mark.text)}</StatusMark>}
      >
        {title}
      </PageHeading>
      <Sheet
        aria-label={t`Замовлення № ${number}`}
        foot={<div className="flex flex-col gap-4">{actions}</div>}
        footOfButtons
      >
        <div className="flex flex-col gap-6">
          <p>
            <span className="caption-line block">
              <Trans>Сума</Trans>
            </span>
            <Sum value={fromHryvnias(order.sum)} size="big" />
            <span className="block text-sm text-ink-soft">{partsText(sumPartsOf(order.items))}</span>
          </p>
          {children}
          <OrderFacts order={order} />
          <ul aria-label={t`Платежі замовлення`} className="flex flex-col">
            {order.items.map((item) => (
              <ItemLine key={item.id} item={item} />
            ))}
          </ul>
          <Suspense fallback={<Folds count={foldsOf(order)} />}>
            <OrderFile order={order} />
          </Suspense>
        </div>
      </Sheet>
    </div>
  )
}

/** When the order was made and paid, by whom and with which card. */
function OrderFacts({ order }: { readonly order: Order }) {
  const { t } = useLingui()
  const locale = useLocale()
  return (
    <DescriptionList
      items={[
        { term: t`Створено`, description: longMoment(order.created_at, locale) },
        ...(order.paid_at === null
          ? []
          : [{ term: t`Сплачено`, description: longMoment(order.paid_at, locale) }]),
        {
          term: t`Платник`,
          description: (
            <>
              {order.client.full_name}, <span className="tabular-nums">{order.client.inn}</span>
            </>
          ),
        },
        ...(order.pan === null
          ? []
          : [{ term: t`Картка`, description: <span className="tabular-nums">{order.pan}</span> }]),
      ]}
    />
  )
}

function ItemLine({ item }: { readonly item: OrderItem }) {
  const { i18n } = useLingui()
  const recipient = item.payment_type_requisite?.name ?? item.recipient_name
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 border-b border-rule py-3 first:border-t last:border-b-0">
      <span className="flex min-w-0 flex-1 basis-64 flex-col">
        <span>{item.payment_type_option?.name ?? i18n._(paymentKindText[item.payment_type.slug])}</span>
        {recipient !== null && (
          <span className="text-sm text-ink-soft wrap-anywhere">
            <SlashedName name={recipient} />
          </span>
        )}
        {item.purpose !== '' && (
          <span lang="uk" className="text-sm text-ink-soft wrap-anywhere">
            {item.purpose}
          </span>
        )}
      </span>
      <span className="text-right">
        <Sum value={fromHryvnias(item.sum_total)} className="font-semibold" />
        {item.count > 1 && (
          <span className="block text-sm text-ink-soft">
            {item.count} × <Sum value={fromHryvnias(item.sum_full)} />
          </span>
        )}
      </span>
    </li>
  )
}
