import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { Suspense } from 'react'

import type { Order } from '@/api/orders'
import { orderReceipt, orderReceipts } from '@/api/receipts'
import { useDownloads } from '@/api/use-download'
import { failureText } from '@/i18n/message-texts'
import { later } from '@/lib/later'
import { Button, buttonClass } from '@/ui/button'
import { Notice } from '@/ui/notice'

import { BoundOrder, loadResult } from './bound-order'
import { OrderDocument } from './order-document'

const ReturnedParts = later(async () => (await import('@/forms/returned-parts')).load())

export const loader = loadResult

/** The order is paid: its sum, its receipts, and what to do next. */
export default function SuccessPage() {
  return <BoundOrder page="success">{(order) => <PaidOrder order={order} />}</BoundOrder>
}

function PaidOrder({ order }: { readonly order: Order }) {
  const { t } = useLingui()
  return (
    <OrderDocument
      order={order}
      title={order.returned.length > 0 ? t`Частину платежу повернено` : t`Оплата успішна!`}
      actions={<PaidActions order={order} />}
    >
      {order.returned.length > 0 ? (
        <Suspense>
          <ReturnedParts parts={order.returned} />
        </Suspense>
      ) : (
        <p>
          <Trans>
            Суму списано з картки. Кошти надійдуть отримувачам за вказаними реквізитами. Квитанції можна
            завантажити зараз або пізніше в архіві.
          </Trans>
        </p>
      )}
    </OrderDocument>
  )
}

function PaidActions({ order }: { readonly order: Order }) {
  const { i18n } = useLingui()
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
      {failure !== null && (
        <Notice tone="error" title={<Trans>Квитанцію не завантажено</Trans>}>
          {failureText(failure, i18n)}
        </Notice>
      )}
      <div className="actions">
        <Button icon="print" onClick={() => window.print()}>
          <Trans>Надрукувати</Trans>
        </Button>
        <Link to="/" className={buttonClass()}>
          <Trans>Створити новий платіж</Trans>
        </Link>
        <Link to="/archive" className={buttonClass()}>
          <Trans>До архіву</Trans>
        </Link>
      </div>
    </>
  )
}
