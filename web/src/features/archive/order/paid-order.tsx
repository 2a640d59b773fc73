import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { Suspense } from 'react'

import type { Order } from '@/api/orders'
import { orderReceipt, orderReceipts } from '@/api/receipts'
import { useDownloads } from '@/api/use-download'
import { Failed } from '@/forms/failed'
import { later } from '@/lib/later'
import { fromHryvnias, times, total } from '@/lib/money'
import { Button, buttonClass } from '@/ui/button'

import { OrderHead, type OrderInStateProps } from './whole-order'

const ReturnedParts = later(async () => (await import('@/forms/returned-parts')).load())

type Became = Order['returned'][number]['after']

/** What the recipients of the order get: its sum without the commission. */
const amountOf = (order: Order) =>
  total(order.items.map(({ sum_base, count }) => times(fromHryvnias(sum_base), count)))

/** A paid order: its receipts, where its money is, and what to do next. */
export function PaidOrder({ order, place }: OrderInStateProps) {
  const { t } = useLingui()
  const sumOf = (...became: Became[]) =>
    total(
      order.returned.filter(({ after }) => became.includes(after)).map(({ amount }) => fromHryvnias(amount)),
    )
  const missing = sumOf('undecided', 'sent_again', 'refund_requested')
  const givenBack = total([fromHryvnias(order.given_back ?? 0), sumOf('called_off', 'refunded')])
  const isPart = total([missing, givenBack]) < amountOf(order)
  return (
    <OrderHead
      order={order}
      place={place}
      title={
        missing > 0
          ? isPart
            ? t`Частину коштів отримувачу не зараховано`
            : t`Кошти отримувачу не зараховано`
          : givenBack === 0
            ? order.paid_by === 'codes'
              ? t`Сплачено за QR-кодами`
              : t`Оплата успішна!`
            : isPart
              ? t`Частину коштів повернено на картку`
              : t`Кошти повернено на картку`
      }
    >
      <Receipts order={order} />
      {order.returned[0] || order.given_back ? (
        <Suspense>
          <ReturnedParts order={order} />
        </Suspense>
      ) : place === 'order' ? null : order.paid_by === 'codes' ? (
        <p>
          <Trans>
            Сплачено за QR-кодами, минаючи сервіс: так ви позначили. Квитанції можна завантажити зараз або
            пізніше в архіві.
          </Trans>
        </p>
      ) : (
        <p>
          <Trans>
            Суму списано з картки. Кошти надійдуть отримувачам за вказаними реквізитами. Квитанції можна
            завантажити зараз або пізніше в архіві.
          </Trans>
        </p>
      )}
      <NextSteps />
    </OrderHead>
  )
}

/** The receipts of the whole order. */
function Receipts({ order }: { readonly order: Order }) {
  const { start, running, failure } = useDownloads()
  return (
    <>
      <div className="actions">
        <Button
          variant="primary"
          icon="receipt"
          loading={running.has('payment')}
          onClick={() => start({ name: 'payment', load: () => orderReceipt(order.id, 'payment') })}
        >
          <Trans>Квитанція про сплату</Trans>
        </Button>
        <Button
          icon="receipt"
          loading={running.has('commission')}
          onClick={() => start({ name: 'commission', load: () => orderReceipt(order.id, 'commission') })}
        >
          <Trans>Квитанція про комісію</Trans>
        </Button>
        <Button
          icon="download"
          loading={running.has('all')}
          onClick={() => start({ name: 'all', load: () => orderReceipts(order.id) })}
        >
          <Trans>Усі квитанції (ZIP)</Trans>
        </Button>
      </div>
      <Failed failure={failure} title={<Trans>Квитанцію не завантажено</Trans>} />
    </>
  )
}

function NextSteps() {
  return (
    <div className="actions">
      <Link to="/" className={buttonClass()}>
        <Trans>Створити новий платіж</Trans>
      </Link>
      <Link to="/archive" className={buttonClass()}>
        <Trans>До архіву</Trans>
      </Link>
      <Button icon="print" onClick={() => window.print()}>
        <Trans>Надрукувати</Trans>
      </Button>
    </div>
  )
}
