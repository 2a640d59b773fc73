import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'

import { cartQuery } from '@/api/cart'
import { cartCountQuery } from '@/api/cart-count'
import { Refusal, type MessageKey } from '@/api/failure'
import { ordersKey, payOrderByCard, type Order, type OrderSummary } from '@/api/orders'
import { paymentStateOf } from '@/api/payment-state'
import { savedCardsQuery, type SavedCard } from '@/api/saved-cards'
import { useCardName } from '@/i18n/orders/card-name'
import { failureText } from '@/i18n/message-texts'
import { externalUrl } from '@/lib/external-url'
import { leavePage } from '@/lib/leave-page'
import { beginLeaving } from '@/lib/leaving'
import { formatHryvnias, fromHryvnias } from '@/lib/money'
import { beginOwnPayment } from '@/lib/own-payments'
import { isSameCard, shownCard } from '@/lib/saved-card'
import { useLocale } from '@/lib/use-locale'
import { useOnline } from '@/lib/use-online'
import { Button } from '@/ui/button'
import { Notice } from '@/ui/notice'
import { RadioCards } from '@/ui/radio'

interface OtherCardsProps {
  readonly order: Order
  /** Called with the reason why the order cannot be paid now. */
  readonly onRefused: (key: MessageKey) => void
}

/** Offers the saved cards other than the declined one. Without any, or if they do not load, the bank's page remains. */
export function OtherCards({ order, onRefused }: OtherCardsProps) {
  const cards = useQuery({ ...savedCardsQuery(), retry: false }).data?.tokens ?? []
  const others = cards.filter(({ MaskPan }) => order.pan === null || !isSameCard(MaskPan, order.pan))
  const [first] = others
  return first === undefined ? null : <CardChoice {...{ order, onRefused, others, first }} />
}

interface CardChoiceProps extends OtherCardsProps {
  readonly others: readonly SavedCard[]
  readonly first: SavedCard
}

function CardChoice({ order, others, first, onRefused }: CardChoiceProps) {
  const { t, i18n } = useLingui()
  const unpaidTitle = ({ last4 }: Unpaid) =>
    last4 === null
      ? t`Запит до банку не надіслано, кошти не списано`
      : t`Картку •••• ${last4} теж відхилено, кошти не списано`
  const [choice, setChoice] = useState<string | null>(null)
  const card = others.find(({ Token }) => Token === choice) ?? first
  const cardName = useCardName()
  const offline = useOnline() ? null : t`Немає зв’язку з інтернетом`
  const sum = formatHryvnias(fromHryvnias(order.sum), useLocale())
  const payment = usePayByCard(order, onRefused)
  const failure = payment.error
  return (
    <div className="flex flex-col items-start gap-4">
      <div className="flex w-full flex-wrap items-end gap-x-3 gap-y-4">
        <RadioCards
          legend={<Trans>Сплатити іншою збереженою карткою</Trans>}
          options={others.map((other) => ({ value: other.Token, label: cardName(other) }))}
          value={card.Token}
          onValueChange={(token) => {
            if (!payment.isPending) setChoice(token)
          }}
          className="min-w-0 max-w-[28rem] grow basis-72"
        />
        <Button
          icon="card"
          loading={payment.isPending}
          disabledReason={payment.isPending ? null : offline}
          onClick={() => payment.start(card)}
        >
          <Trans>Сплатити {sum}</Trans>
        </Button>
      </div>
      {payment.unpaid !== null && !payment.isPending && (
        <Notice tone="error" title={unpaidTitle(payment.unpaid)} />
      )}
      {/* Somebody may have paid in another way, so more is not certain. */}
      {failure instanceof Refusal && (
        <Notice tone="error" title={<Trans>За цією спробою кошти не списано</Trans>}>
          {failureText(failure, i18n)}
        </Notice>
      )}
    </div>
  )
}

/** A card that has certainly not paid. */
interface Unpaid {
  /** The digits of the declined card; null where the bank was not asked. */
  readonly last4: string | null
}

/** What is certain after an attempt; null where the order must be looked at. */
function unpaidOf(order: OrderSummary, card: SavedCard): Unpaid | null {
  switch (paymentStateOf(order)) {
    case 'declined':
    case 'declined_page_open':
      return { last4: shownCard(card).last4 }
    case 'not_sent':
      return { last4: null }
    default:
      return null
  }
}

/**
 * Charges a card for the order. Where the answer is lost, nothing is repeated: the status page looks what became of it. The page of the
 * order follows its status.
 */
function usePayByCard(order: Order, onRefused: (key: MessageKey) => void) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [unpaid, setUnpaid] = useState<Unpaid | null>(null)
  const lookUp = () => navigate({ to: '/order/$id/payment-status', params: { id: order.id }, replace: true })
  const readAgain = () => queryClient.invalidateQueries({ queryKey: ordersKey.all })
  const payment = useMutation({
    mutationFn: (card: SavedCard) => {
      beginOwnPayment(order.id)
      return payOrderByCard(order.id, card)
    },
    onSuccess: async (answered, card) => {
      const { widget_url: address } = answered
      const page = address === null ? null : externalUrl(address)
      const known = unpaidOf(answered, card)
      if (page !== null) {
        beginLeaving()
        await lookUp()
        leavePage(page)
      } else if (known !== null) {
        setUnpaid(known)
        await readAgain()
      } else {
        await lookUp()
      }
    },
    onError: async (failure) => {
      if (!(failure instanceof Refusal)) {
        await lookUp()
      } else if (failure.status === 409) {
        onRefused(failure.key)
        // Its payments may be in the cart again.
        void queryClient.invalidateQueries({ queryKey: cartQuery().queryKey })
        void queryClient.invalidateQueries({ queryKey: cartCountQuery().queryKey })
        await readAgain()
      }
    },
  })
  return {
    isPending: payment.isPending,
    error: payment.error,
    unpaid,
    start: (card: SavedCard) => {
      if (payment.isPending) return
      setUnpaid(null)
      payment.mutate(card)
    },
  }
}
