import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useRef } from 'react'

import { isDefinite } from '@/api/definite'
import { ServerFailure } from '@/api/failure'
import { isCancellable } from '@/api/payment-state'
import { useCancelOrder } from '@/api/use-cancel-order'
import { failureText } from '@/i18n/message-texts'
import { longMoment } from '@/lib/dates'
import type { FiledOrder } from '@/lib/order-file'
import { useLocale } from '@/lib/use-locale'
import { Button, buttonClass } from '@/ui/button'
import { announce } from '@/ui/live-region'
import { Notice } from '@/ui/notice'
import { useFocusAfter } from '@/ui/use-focus-after'

import { Disclosure } from './disclosure'

/** The way to cancel an unpaid order, and afterwards what became of its payments. */
export function CancelPart({ order }: { readonly order: FiledOrder }) {
  const { t } = useLingui()
  const cancel = useCancelOrder(order.id)
  const done = useRef<HTMLDivElement>(null)
  const isCancelled = order.cancelled_at !== null
  useFocusAfter(cancel.isSuccess && isCancelled, done)
  if (isCancelled) {
    return (
      <div ref={done} tabIndex={-1} className="border-t border-rule pt-3 pb-2 print:hidden">
        <Cancelled order={order} />
      </div>
    )
  }
  if (!isCancellable(order)) return null
  const press = (returnItems: boolean) => () => {
    if (cancel.isPending) return
    const despiteCodes = returnItems && order.codes_given_at !== null
    cancel.mutate({ returnItems, despiteCodes }, { onSuccess: () => announce(t`Замовлення скасовано`) })
  }
  return <Choice order={order} cancel={cancel} press={press} />
}

/**
 * Whether the server has dropped the cancellation: it refused, or the bank did not confirm that its page is closed. After anything else
 * the worker may finish it some minutes later.
 */
const isDropped = (failure: unknown) =>
  isDefinite(failure) || (failure instanceof ServerFailure && failure.key === 'acquirer_unavailable')

interface ChoiceProps {
  readonly order: FiledOrder
  readonly cancel: ReturnType<typeof useCancelOrder>
  /** Returns the handler of a button: whether the payments go back to the cart. */
  readonly press: (returnItems: boolean) => () => void
}

/** What will happen, and the two buttons. */
function Choice({ order, cancel, press }: ChoiceProps) {
  const { i18n } = useLingui()
  const isReturning = cancel.variables?.returnItems === true
  const hasCodes = order.codes_given_at !== null
  return (
    <Disclosure title={<Trans>Скасувати замовлення</Trans>}>
      <p>
        <Trans>
          Замовлення буде скасовано, коли банк закриє сторінку оплати: тоді оплатити його вже не можна буде.
          Якщо банк її не закриє або платіж уже надійшов, замовлення лишиться, як було.
        </Trans>
      </p>
      {hasCodes && (
        <Notice tone="warn" title={<Trans>Можливо, за QR-кодами вже сплачено</Trans>}>
          <Trans>Тоді не повертайте платежів до кошика: інакше їх можна сплатити вдруге.</Trans>
        </Notice>
      )}
      {cancel.error !== null &&
        (isDropped(cancel.error) ? (
          <Notice tone="error" title={<Trans>Замовлення не скасовано</Trans>}>
            {failureText(cancel.error, i18n)}
          </Notice>
        ) : (
          <Notice tone="warn" title={<Trans>Чи скасовано замовлення, ще невідомо</Trans>}>
            <p>{failureText(cancel.error, i18n)}</p>
            <p>
              <Trans>Не створюйте цих платежів знову: статус оновиться за кілька хвилин.</Trans>
            </p>
          </Notice>
        ))}
      <div className="actions">
        <Button icon="repeat" loading={cancel.isPending && isReturning} onClick={press(true)}>
          {hasCodes ? (
            <Trans>За кодами не сплачено: скасувати й повернути платежі до кошика</Trans>
          ) : (
            <Trans>Скасувати й повернути платежі до кошика</Trans>
          )}
        </Button>
        <Button loading={cancel.isPending && !isReturning} onClick={press(false)}>
          <Trans>Скасувати, платежів до кошика не повертати</Trans>
        </Button>
      </div>
    </Disclosure>
  )
}

/** When the order was cancelled, and where its payments are. */
function Cancelled({ order }: { readonly order: FiledOrder }) {
  const locale = useLocale()
  const at = longMoment(order.cancelled_at ?? order.created_at, locale)
  const isReturned = order.returned_to_cart_at !== null
  return (
    <Notice tone="info" title={<Trans>Скасовано {at}</Trans>}>
      <p>
        {isReturned ? (
          <Trans>Платежі повернено до кошика.</Trans>
        ) : (
          <Trans>Платежі лишилися в цьому замовленні: кожен із них можна повторити.</Trans>
        )}
      </p>
      {isReturned && (
        <Link to="/cart" className={buttonClass({ size: 'small' })}>
          <Trans>До кошика</Trans>
        </Link>
      )}
    </Notice>
  )
}
