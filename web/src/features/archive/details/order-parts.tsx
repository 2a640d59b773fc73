import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'

import { orderDetailsQuery } from '@/api/order-details'
import type { Order } from '@/api/orders'
import { foldsOf } from '@/api/payment-state'
import { civilDate, longMoment } from '@/lib/dates'
import { later } from '@/lib/later'
import { useLocale } from '@/lib/use-locale'
import { DescriptionList } from '@/ui/description-list'
import { Folds } from '@/ui/folds'
import { Sheet } from '@/ui/sheet'

import { UpdateStatus } from '../update-status'
import { OrderItems } from './order-items'
import { OrderTimeline } from './order-timeline'

const OrderFile = later(async () => (await import('@/forms/order-file/load')).loadOrderFile())

interface OrderPartsProps {
  readonly order: Order
}

/** All that is known of an order: its client, its payments, its transfers and its history. What is asked for separately may come later. */
export function OrderParts({ order }: OrderPartsProps) {
  const details = useQuery(orderDetailsQuery(order.id)).data
  return (
    <>
      <Summary order={order} code={details?.receipt_code ?? null} />
      <OrderItems order={order} details={details} />
      {details && <OrderTimeline entries={details.timeline} />}
    </>
  )
}

const optional = (term: string, description: string | null) =>
  description === null || description === '' ? [] : [{ term, description }]

interface SummaryProps extends OrderPartsProps {
  /** The code of the receipt, once it is known. */
  readonly code: string | null
}

/** The client, when and how the order was paid, its act, and its file. */
function Summary({ order, code }: SummaryProps) {
  const { t } = useLingui()
  const locale = useLocale()
  const { act, client } = order
  const isByCodes = order.paid_by === 'codes'
  const known = [
    act.register_number && `№ ${act.register_number}`,
    act.date && civilDate(act.date),
    act.object,
  ]
    .filter(Boolean)
    .join(', ')
  return (
    <Sheet heading={client.full_name} aside={<UpdateStatus order={order} />}>
      <DescriptionList
        inRow
        items={[
          { term: t`Код клієнта`, description: client.inn },
          ...optional(t`Картка`, order.pan),
          { term: t`Створено`, description: longMoment(order.created_at, locale) },
          ...optional(
            isByCodes ? t`Позначено як сплачене` : t`Сплачено`,
            order.paid_at && longMoment(order.paid_at, locale),
          ),
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
      {/* On the screen the folded form of the act says it; that is not printed. */}
      {known !== '' && (
        <p className="mt-4 hidden print:block">
          <Trans>Нотаріальна дія: {known}</Trans>
        </p>
      )}
      <Suspense fallback={<Folds count={foldsOf(order)} />}>
        <OrderFile order={order} />
      </Suspense>
    </Sheet>
  )
}
