import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'

import { loadOrderStatus, orderQuery, type Order } from '@/api/orders'
import { paymentStateOf } from '@/api/payment-state'
import { Failed } from '@/forms/failed'
import { longMoment } from '@/lib/dates'
import { externalUrl } from '@/lib/external-url'
import { beginOwnPayment } from '@/lib/own-payments'
import { orderStatusLook } from '@/lib/order-status'
import { useLocale } from '@/lib/use-locale'
import { Button, buttonClass } from '@/ui/button'

import { StateNotice } from './state-notice'
import { UnderReview } from './under-review'
import { OrderHead, type OrderInStateProps } from './whole-order'

/** An order that is not decided yet. Its name is the same in each of its states; its notice says what is true of the money. */
export function PendingOrder({ order, place }: OrderInStateProps) {
  const { t } = useLingui()
  const title = t`Оплата обробляється`
  const state = paymentStateOf(order)
  const address = state === 'waiting' ? externalUrl(order.widget_url) : null
  const actions = <PendingActions order={order} />
  if (state === 'under_review') {
    return (
      <OrderHead order={order} place={place} title={title}>
        <StateNotice tone="error" title={t`Не сплачуйте вдруге`}>
          <UnderReview />
        </StateNotice>
        {actions}
      </OrderHead>
    )
  }
  // Not paid yet: the bank's page is open.
  if (address !== null) {
    return (
      <OrderHead order={order} place={place} title={title}>
        <StateNotice tone="info" title={t`Сторінка оплати відкрита`}>
          <p>
            <Trans>
              Якщо ви закрили сторінку банку, не ввівши даних картки або не підтвердивши оплати,{' '}
              <a
                href={address}
                target="_blank"
                rel="noopener noreferrer"
                onClick={() => beginOwnPayment(order.id)}
                className="link"
              >
                поверніться до неї
              </a>
              : це той самий платіж.
            </Trans>
          </p>
          <p>
            <Trans>
              Якщо ви вже підтвердили оплату, зачекайте: сторінка оновиться автоматично, щойно банк
              відповість.
            </Trans>
          </p>
        </StateNotice>
        {actions}
      </OrderHead>
    )
  }
  return (
    <OrderHead order={order} place={place} title={title} mark={orderStatusLook('in_progress')}>
      <StateNotice tone="warn" title={t`Не сплачуйте вдруге`}>
        <p>
          <Trans>Чекаємо на відповідь банку. Щойно вона надійде, сторінка оновиться автоматично.</Trans>
        </p>
        {order.answer_expected_at !== null && <Expected at={order.answer_expected_at} />}
      </StateNotice>
      {actions}
    </OrderHead>
  )
}

/** By when the bank's statement shows whether money was taken. */
function Expected({ at }: { readonly at: string }) {
  const moment = longMoment(at, useLocale())
  return (
    <p>
      <Trans>Відповідь буде до {moment}: тоді виписка банку покаже, чи списано кошти.</Trans>
    </p>
  )
}

function PendingActions({ order }: { readonly order: Order }) {
  const queryClient = useQueryClient()
  const { queryKey } = orderQuery(order.id)
  const check = useMutation({
    mutationFn: async () => {
      // This call fails if the bank does not answer; reading the order alone would silently show its old status.
      await loadOrderStatus(order.id)
      await queryClient.refetchQueries({ queryKey })
    },
  })
  return (
    <>
      <Failed failure={check.error} title={<Trans>Перевірити не вдалося</Trans>} />
      <div className="actions">
        <Link to="/archive" className={buttonClass({ variant: 'primary' })}>
          <Trans>До архіву</Trans>
        </Link>
        <Button icon="refresh" loading={check.isPending} onClick={() => check.mutate()}>
          <Trans>Перевірити зараз</Trans>
        </Button>
      </div>
    </>
  )
}
