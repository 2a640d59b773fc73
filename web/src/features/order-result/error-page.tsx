import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'

import type { Order } from '@/api/orders'
import { usePayAgain } from '@/api/use-pay-again'
import { failureText, messageText } from '@/i18n/message-texts'
import { Button, buttonClass } from '@/ui/button'
import { Notice } from '@/ui/notice'

import { BoundOrder, loadResult } from './bound-order'
import { OrderDocument } from './order-document'

export const loader = loadResult

/** The order was not paid, or its money went back: whether money was taken, why, and how to go on. */
export default function ErrorPage() {
  return <BoundOrder page="error">{(order) => <UnpaidOrder order={order} />}</BoundOrder>
}

function UnpaidOrder({ order }: { readonly order: Order }) {
  const refunded = order.status === 'refunded'
  return (
    <OrderDocument
      order={order}
      title={refunded ? <Trans>Гроші повернуто</Trans> : <Trans>Помилка оплати</Trans>}
      actions={<UnpaidActions order={order} payable={!refunded} />}
    >
      <Reason order={order} />
    </OrderDocument>
  )
}

function Reason({ order }: { readonly order: Order }) {
  const { i18n } = useLingui()
  switch (order.status) {
    case 'refunded':
      return (
        <Notice tone="info" title={<Trans>Платіж скасовано, гроші повернуто на картку</Trans>}>
          <Trans>Банк зараховує їх за кілька днів. Щоб сплатити знову, створіть новий платіж.</Trans>
        </Notice>
      )
    case 'expired':
      return (
        <Notice tone="warn" title={<Trans>Строк оплати минув, гроші не списано</Trans>}>
          <Trans>Платежі замовлення збережено: їх можна сплатити за новим посиланням.</Trans>
        </Notice>
      )
    default:
      return (
        <Notice tone="error" title={<Trans>Гроші не списано</Trans>}>
          {order.failure !== null && <p>{messageText(order.failure, i18n)}</p>}
          <p>
            <Trans>
              Перевірте реквізити та спробуйте ще раз. Платежі замовлення збережено, вводити їх заново не
              потрібно.
            </Trans>
          </p>
        </Notice>
      )
  }
}

function UnpaidActions({ order, payable }: { readonly order: Order; readonly payable: boolean }) {
  const { i18n } = useLingui()
  const again = usePayAgain(order.id)
  return (
    <>
      <div className="actions">
        {payable && (
          <Button variant="primary" icon="external" loading={again.pending} onClick={again.start}>
            <Trans>Повернутися до оплати</Trans>
          </Button>
        )}
        <Link to="/" className={buttonClass()}>
          <Trans>Створити платіж</Trans>
        </Link>
        <Link to="/archive" className={buttonClass()}>
          <Trans>До архіву</Trans>
        </Link>
      </div>
      {again.failure !== null && (
        <Notice tone="error" title={<Trans>Посилання на оплату не отримано</Trans>}>
          {failureText(again.failure, i18n)}
        </Notice>
      )}
    </>
  )
}
