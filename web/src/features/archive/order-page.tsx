import { Trans, useLingui } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Suspense } from 'react'

import { orderDetailsQuery, type OrderDetails } from '@/api/order-details'
import { foldsOf } from '@/api/payment-state'
import { queryClient } from '@/api/query-client'
import { useDownloads, type Downloads } from '@/api/use-download'
import { civilDate, longMoment } from '@/lib/dates'
import { later } from '@/lib/later'
import { fromHryvnias, times, total } from '@/lib/money'
import { orderLook } from '@/lib/order-status'
import { useLocale } from '@/lib/use-locale'
import { buttonClass } from '@/ui/button'
import { DescriptionList } from '@/ui/description-list'
import { Folds } from '@/ui/folds'
import { PageHeading } from '@/ui/page-heading'
import { Sheet } from '@/ui/sheet'
import { StatusMark } from '@/ui/status-mark'
import { Sum } from '@/ui/sum'

import { ItemSheet } from './item-sheet'
import { OrderFoot } from './order-foot'
import { OrderTimeline } from './order-timeline'
import { OrderTransfers } from './order-transfers'
import { UnpaidNotice } from './unpaid-notice'
import { UpdateStatus } from './update-status'

const OrderFile = later(async () => (await import('@/forms/order-file/load')).loadOrderFile())
const ReturnedParts = later(async () => (await import('@/forms/returned-parts')).load())

/** Loads all that is known of the order. An unknown order shows "not found". */
export async function loader({
  params: { id },
}: {
  readonly params: { readonly id: string }
}): Promise<void> {
  await queryClient.fetchQuery(orderDetailsQuery(id))
}

const orderRoute = getRouteApi('/signed-in/order/$id')

/** Everything that is known of one order. */
export default function OrderPage() {
  const { i18n } = useLingui()
  const { id } = orderRoute.useParams()
  const { data: details } = useSuspenseQuery(orderDetailsQuery(id))
  const downloads = useDownloads()
  const { order } = details
  const { number } = order
  const look = orderLook(order)
  return (
    <div className="flex flex-col gap-6">
      <PageHeading
        caption={<Trans>Архів</Trans>}
        aside={<StatusMark tone={look.tone}>{i18n._(look.text)}</StatusMark>}
      >
        <Trans>Замовлення № {number}</Trans>
      </PageHeading>
      {order.status === 'paid' && (order.returned[0] ?? order.given_back) && (
        <Suspense>
          <ReturnedParts order={order} />
        </Suspense>
      )}
      <UnpaidNotice order={order} />
      <Summary details={details} downloads={downloads} />
      {order.items.map((item) => (
        <ItemSheet
          key={item.id}
          item={item}
          more={details.items.find((each) => each.id === item.id)}
          order={order}
          downloads={downloads}
        />
      ))}
      {details.transfers[0] && <OrderTransfers orderId={id} transfers={details.transfers} />}
      <OrderTimeline entries={details.timeline} />
      <div className="actions">
        <Link to="/archive" className={buttonClass()}>
          <Trans>До архіву</Trans>
        </Link>
        <Link to="/" className={buttonClass()}>
          <Trans>Створити платіж</Trans>
        </Link>
      </div>
    </div>
  )
}

interface SummaryProps {
  readonly details: OrderDetails
  readonly downloads: Downloads
}

const optional = (term: string, description: string | null) =>
  description === null || description === '' ? [] : [{ term, description }]

/** The client, when and how it was paid, its act, its total and its actions. */
function Summary({ details: { order, receipt_code: code }, downloads }: SummaryProps) {
  const { t } = useLingui()
  const locale = useLocale()
  const { act, client, items } = order
  const isByCodes = order.paid_by === 'codes'
  const commission = total(items.map((item) => times(fromHryvnias(item.commission), item.count)))
  const known = [
    act.register_number && `№ ${act.register_number}`,
    act.date && civilDate(act.date),
    act.object,
  ].filter(Boolean)
  return (
    <Sheet
      heading={client.full_name}
      aside={<UpdateStatus order={order} />}
      foot={<OrderFoot order={order} downloads={downloads} />}
    >
      <DescriptionList
        items={[
          { term: t`Код клієнта`, description: client.inn },
          { term: t`Створено`, description: longMoment(order.created_at, locale) },
          ...optional(
            isByCodes ? t`Позначено як сплачене` : t`Сплачено`,
            order.paid_at && longMoment(order.paid_at, locale),
          ),
          ...optional(t`Картка`, order.pan),
          { term: t`Комісія`, description: <Sum value={commission} /> },
          ...optional(t`Нотаріальна дія`, known.join(', ')),
          ...(code === null
            ? []
            : [
                {
                  term: t`Код квитанції`,
                  description: (
                    <a
                      href={`/check?code=${code}&language=${locale}`}
                      target="_blank"
                      rel="noopener"
                      className="link"
                    >
                      {code}
                    </a>
                  ),
                },
              ]),
        ]}
      />
      <Suspense fallback={<Folds count={foldsOf(order)} />}>
        <OrderFile order={order} />
      </Suspense>
    </Sheet>
  )
}
