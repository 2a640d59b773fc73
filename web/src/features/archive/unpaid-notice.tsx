import { msg } from '@lingui/core/macro'
import type { MessageDescriptor } from '@lingui/core'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'

import type { Order } from '@/api/orders'
import { isPayable, paymentStateOf, type KnownPaymentState } from '@/api/payment-state'
import { messageText } from '@/i18n/message-texts'
import { buttonClass } from '@/ui/button'
import { Notice } from '@/ui/notice'

/** What is certain about the money of an order that was not paid. */
const TITLES: { readonly [State in KnownPaymentState]?: MessageDescriptor } = {
  not_sent: msg`Запит до банку не надіслано, кошти не списано`,
  declined: msg`Кошти не списано`,
  declined_page_open: msg`За останньою спробою кошти не списано`,
  expired: msg`Строк оплати минув, кошти не списано`,
}

/**
 * Says of an unpaid order whether money moved and why it did not, and leads to its payment, where the saved cards are offered, too. Nothing
 * is said of an order that was cancelled, or that may have been paid by QR codes.
 */
export function UnpaidNotice({ order }: { readonly order: Order }) {
  const { i18n } = useLingui()
  const title = TITLES[paymentStateOf(order)]
  if (title === undefined || !isPayable(order) || order.codes_given_at !== null) return null
  if (order.failure === 'order_returned_to_cart' || order.failure === 'payment_no_trace') return null
  return (
    <Notice
      tone="warn"
      title={i18n._(title)}
      actions={
        <Link
          to="/order/$id/error"
          params={{ id: order.id }}
          className={buttonClass({ variant: 'primary', size: 'small' })}
        >
          <Trans>Перейти до оплати</Trans>
        </Link>
      }
    >
      {order.failure !== null && <p>{messageText(order.failure, i18n)}.</p>}
      <p>
        <Trans>Платежі замовлення збережено: сплатіть їх збереженою карткою або на сторінці банку.</Trans>
      </p>
    </Notice>
  )
}
