import { Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense, useRef, useState, type ReactNode } from 'react'

import { Refusal, type MessageKey } from '@/api/failure'
import type { Order } from '@/api/orders'
import { isPayable, paymentStateOf, type KnownPaymentState } from '@/api/payment-state'
import { usePayAgain, type PayAgain } from '@/api/use-pay-again'
import { userQuery } from '@/api/user'
import { Failed } from '@/forms/failed'
import { messageText } from '@/i18n/message-texts'
import { externalUrl } from '@/lib/external-url'
import { beginOwnPayment } from '@/lib/own-payments'
import { later } from '@/lib/later'
import { orderLook } from '@/lib/order-status'
import { Button, buttonClass } from '@/ui/button'
import { Icon } from '@/ui/icons'
import type { NoticeTone } from '@/ui/notice'
import { useFocusAfter } from '@/ui/use-focus-after'

import { StateNotice } from './state-notice'
import { UnderReview } from './under-review'
import { OrderHead, type OrderInStateProps } from './whole-order'

const OtherCards = later(async () => (await import('./other-cards')).OtherCards)

/** The payment state, refined by the last refusal. */
type View = KnownPaymentState | 'outcome_unknown' | 'not_payable' | 'no_trace' | 'returned' | 'cancelled'

function viewOf(order: Order, refused: MessageKey | null): View {
  const state = paymentStateOf(order)
  if (state === 'under_review' || refused === 'order_under_review') return 'under_review'
  if (refused === 'payment_outcome_unknown') return 'outcome_unknown'
  // What the page has of the order is outdated: it may have been paid meanwhile.
  if (refused === 'order_not_payable') return 'not_payable'
  if (refused === 'order_cancelled' || order.failure === 'order_cancelled') return 'cancelled'
  if (refused === 'order_returned_to_cart' || order.failure === 'order_returned_to_cart') return 'returned'
  return order.failure === 'payment_no_trace' && isPayable(order) ? 'no_trace' : state
}

/** An unpaid or refunded order: whether money was charged, why, and what to do next. */
export function UnpaidOrder({ order, place }: OrderInStateProps) {
  const again = usePayAgain(order.id)
  const [cardRefused, setCardRefused] = useState<MessageKey | null>(null)
  const refused = again.failure instanceof Refusal ? again.failure.key : cardRefused
  const view = viewOf(order, refused)
  const { heading, tone, title, body } = useStory(order, view)
  const offersCards = useOffersCards(order, view)
  return (
    <OrderHead
      order={order}
      place={place}
      title={heading}
      lead={inDoubt(order, view) ? null : <Lead view={view} />}
      {...(view === 'under_review' && { mark: orderLook({ ...order, payment_state: view }) })}
    >
      <StateNotice tone={tone} title={title}>
        {body}
      </StateNotice>
      <UnpaidActions order={order} again={again} view={view} />
      {offersCards && (
        <Suspense>
          <OtherCards order={order} onRefused={setCardRefused} />
        </Suspense>
      )}
    </OrderHead>
  )
}

/** What to do next. Of an order whose time is over the details are right. */
function Lead({ view }: { readonly view: View }) {
  return view === 'expired' ? (
    <Trans>Строк минув – сплатіть за новим посиланням</Trans>
  ) : (
    <Trans>Перевірте реквізити та спробуйте ще раз</Trans>
  )
}

/** The views in which the cabinet has refused a payment of the order, whatever its state says. */
const REFUSED: ReadonlySet<View> = new Set(['under_review', 'outcome_unknown', 'not_payable', 'returned'])

/** Whether the order may be paid now: it is certainly unpaid, and the cabinet has not refused it. */
const mayBePaid = (order: Order, view: View) => !REFUSED.has(view) && isPayable(order)

/** The views of a declined card. */
const DECLINED: ReadonlySet<View> = new Set(['declined', 'declined_page_open', 'no_trace'])

/** The views in which the order may be paid already, or the card has to be looked at first. */
const DOUBTED: ReadonlySet<View> = new Set([
  'under_review',
  'outcome_unknown',
  'not_payable',
  'no_trace',
  'unknown',
  'waiting',
  'paid',
  'unfamiliar',
])

/** Whether another try could pay twice, so that none is suggested. */
const inDoubt = (order: Order, view: View) => DOUBTED.has(view) || order.codes_given_at !== null

/**
 * After a decline the other saved cards are offered at once, to those who choose between saved cards. Whoever has QR codes may have paid
 * by them.
 */
function useOffersCards(order: Order, view: View): boolean {
  const choosesCards = useQueryClient().getQueryData(userQuery().queryKey)?.new_flow_enabled === true
  return choosesCards && DECLINED.has(view) && mayBePaid(order, view) && order.codes_given_at === null
}

interface Story {
  readonly heading: string
  readonly tone: NoticeTone
  readonly title: string
  readonly body: ReactNode
}

/** The views in which no card can be charged any more, so that codes that were given may have been used. */
const CARD_CLOSED: ReadonlySet<View> = new Set(['expired', 'declined', 'not_sent', 'cancelled'])

/** The texts for a view. They state only what is certain about the money. */
function useStory(order: Order, view: View): Story {
  const { t, i18n } = useLingui()
  const failed = t`Помилка оплати`
  const unknown = t`Статус оплати невідомий`
  const cancelled = t`Замовлення скасовано`
  if (order.codes_given_at !== null && CARD_CLOSED.has(view)) {
    return {
      heading: view === 'cancelled' ? cancelled : t`Замовлення не оплачено карткою`,
      tone: 'info',
      title: t`Для замовлення видано QR-коди`,
      body: (
        <>
          {view === 'declined' && <FailureOf order={order} />}
          <p>
            {view === 'cancelled' ? (
              <Trans>Якщо за кодами сплачено, не сплачуйте цих платежів удруге.</Trans>
            ) : (
              <Trans>
                Сторінку оплати карткою закрито. Якщо за кодами сплачено, не оплачуйте це замовлення карткою.
              </Trans>
            )}
          </p>
        </>
      ),
    }
  }
  switch (view) {
    case 'under_review':
      return { heading: unknown, tone: 'error', title: t`Не сплачуйте вдруге`, body: <UnderReview /> }
    case 'outcome_unknown':
    case 'not_payable':
      return {
        heading: unknown,
        tone: 'error',
        title: t`Не сплачуйте вдруге`,
        body: messageText(view === 'not_payable' ? 'order_not_payable' : 'payment_outcome_unknown', i18n),
      }
    case 'returned':
      return {
        heading: failed,
        tone: 'warn',
        title: t`Платежі повернено до кошика`,
        body: messageText('order_returned_to_cart', i18n),
      }
    case 'cancelled':
      return {
        heading: cancelled,
        tone: 'info',
        title: t`Кошти не списано`,
        body: t`Сторінку оплати закрито.`,
      }
    case 'refunded':
      return {
        heading: t`Кошти повернено`,
        tone: 'info',
        title: t`Платіж скасовано, кошти повернено на картку`,
        body: t`Банк зарахує їх упродовж кількох днів. Щоб сплатити знову, створіть новий платіж.`,
      }
    case 'expired':
      return {
        heading: failed,
        tone: 'warn',
        title: t`Строк оплати минув, кошти не списано`,
        body: t`Платежі замовлення збережено: їх можна сплатити за новим посиланням.`,
      }
    case 'not_sent':
      return {
        heading: failed,
        tone: 'error',
        title: t`Запит до банку не надіслано, кошти не списано`,
        body: t`Зв’язатися з банком не вдалося. Платежі замовлення збережено. Спробуйте сплатити ще раз.`,
      }
    case 'declined_page_open':
      return {
        heading: failed,
        tone: 'warn',
        title: t`За цією спробою кошти не списано`,
        body: (
          <>
            <FailureOf order={order} />
            <p>
              <Trans>
                Сторінка банку ще відкрита: там можна сплатити іншою карткою. Якщо ви вже це зробили, не
                сплачуйте вдруге: щойно банк підтвердить оплату, сторінка оновиться автоматично.
              </Trans>
            </p>
          </>
        ),
      }
    case 'no_trace':
      return {
        heading: failed,
        tone: 'error',
        title: t`Списання у виписці не знайдено`,
        body: messageText('payment_no_trace', i18n),
      }
    case 'declined':
      return {
        heading: failed,
        tone: 'error',
        title: t`Кошти не списано`,
        body: (
          <>
            <FailureOf order={order} />
            <p>
              <Trans>Платежі замовлення збережено, вводити їх заново не потрібно.</Trans>
            </p>
          </>
        ),
      }
    default:
      return {
        heading: unknown,
        tone: 'warn',
        title: t`Не сплачуйте вдруге`,
        body: t`Ця сторінка застаріла й не може показати статус оплати. Оновіть її.`,
      }
  }
}

/** Why the last attempt failed; another sentence follows. */
function FailureOf({ order }: { readonly order: Order }) {
  const { i18n } = useLingui()
  return order.failure === null ? null : <p>{messageText(order.failure, i18n)}.</p>
}

interface UnpaidActionsProps extends BackToPaymentProps {
  readonly view: View
}

function UnpaidActions({ order, again, view }: UnpaidActionsProps) {
  const payable = mayBePaid(order, view)
  const cartLink = useRef<HTMLAnchorElement>(null)
  useFocusAfter(again.failure !== null && !payable, cartLink)
  return (
    <>
      <div className="actions">
        {view === 'returned' && (
          <Link ref={cartLink} to="/cart" className={buttonClass({ variant: 'primary' })}>
            <Trans>До кошика</Trans>
          </Link>
        )}
        {payable && <BackToPayment order={order} again={again} />}
        <Link to="/" className={buttonClass()}>
          <Trans>Створити платіж</Trans>
        </Link>
        <Link to="/archive" className={buttonClass()}>
          <Trans>До архіву</Trans>
        </Link>
      </div>
      {payable && <Failed failure={again.failure} title={<Trans>Посилання на оплату не отримано</Trans>} />}
    </>
  )
}

interface BackToPaymentProps {
  readonly order: Order
  readonly again: PayAgain
}

/** Leads to the bank's page if it is still open, otherwise to a new one. */
function BackToPayment({ order, again }: BackToPaymentProps) {
  const openPage = paymentStateOf(order) === 'declined_page_open' ? externalUrl(order.widget_url) : null
  if (openPage !== null) {
    return (
      <a
        href={openPage}
        target="_blank"
        rel="noopener noreferrer"
        onClick={() => beginOwnPayment(order.id)}
        className={buttonClass({ variant: 'primary' })}
      >
        <Icon name="external" size={20} />
        <Trans>Повернутися до оплати</Trans>
      </a>
    )
  }
  return (
    <Button variant="primary" icon="external" loading={again.pending} onClick={again.start}>
      <Trans>Повернутися до оплати</Trans>
    </Button>
  )
}
