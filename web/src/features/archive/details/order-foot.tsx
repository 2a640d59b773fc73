import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useRef } from 'react'

import { Refusal, type MessageKey } from '@/api/failure'
import type { Order } from '@/api/orders'
import { isPayable, paymentStateOf } from '@/api/payment-state'
import type { Downloads } from '@/api/use-download'
import { usePayAgain } from '@/api/use-pay-again'
import { Failed } from '@/forms/failed'
import { failureText, messageText } from '@/i18n/message-texts'
import { externalUrl } from '@/lib/external-url'
import { beginOwnPayment } from '@/lib/own-payments'
import { fromHryvnias } from '@/lib/money'
import { Button, buttonClass } from '@/ui/button'
import { Icon } from '@/ui/icons'
import { Sum } from '@/ui/sum'
import { useFocusAfter } from '@/ui/use-focus-after'

import { ReceiptsMenu } from '../receipts-menu'
import { OrderActions } from './order-actions'

interface OrderFootProps {
  readonly order: Order
  readonly downloads: Downloads
}

/** The total of an order and what can be done with it as a whole. */
export function OrderFoot({ order, downloads }: OrderFootProps) {
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
        <OrderActions>
          {order.status === 'paid' && <ReceiptsMenu order={order} downloads={downloads} />}
          {order.status !== 'paid' && <PayUnpaid order={order} />}
        </OrderActions>
      </div>
      <Failed failure={downloads.failure} title={<Trans>Квитанцію не завантажено</Trans>} />
    </div>
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
      <a
        href={openPage}
        target="_blank"
        rel="noopener noreferrer"
        onClick={() => beginOwnPayment(order.id)}
        className={buttonClass()}
      >
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
