import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense, useEffect, useState, type ReactNode } from 'react'

import { cartQuery } from '@/api/cart'
import type { OrderSummary } from '@/api/orders'
import { orderReceipt, type ReceiptType } from '@/api/receipts'
import { savedCardsQuery } from '@/api/saved-cards'
import { useConfig } from '@/api/use-config'
import { useDownloads } from '@/api/use-download'
import { userQuery } from '@/api/user'
import { failureText } from '@/i18n/message-texts'
import { cartRowId } from '@/lib/cart-row-id'
import { later } from '@/lib/later'
import { formatHryvnias, total } from '@/lib/money'
import { takePayNext } from '@/lib/pay-next'
import type { PayableGroup } from '@/lib/payable-group'
import { useLocale } from '@/lib/use-locale'
import { useOnline } from '@/lib/use-online'
import { AwaitedPart } from '@/ui/awaited-part'
import { Button, buttonClass } from '@/ui/button'
import { focusHeading } from '@/ui/focus-heading'
import { Notice } from '@/ui/notice'

import type { PaidGroup } from './create-order'
import { groupInCart } from './group-in-cart'
import { keptRun } from './pay-all-run'
import { PayFailure } from './pay-failure'
import { PaymentMethodDialog } from './payment-method-dialog'
import { useCheckout, type Stage } from './use-checkout'
import { Waits } from './waits'

const ClientPays = later(async () => (await import('./client-pays')).ClientPays)
const PayAll = later(async () => (await import('./pay-all')).PayAll)

/** Begins with what was asked for on the page before: a Pay button, or the popup of the client of an item. */
function beginPaying(hasPopup: boolean): void {
  const next = takePayNext()
  if (next === null) return
  const place =
    next === 'first' ? document : document.getElementById(cartRowId(next.itemId))?.closest('section')
  // All clients' button comes first.
  const button = place?.querySelector<HTMLElement>('[data-pay]')
  button?.focus()
  // Without the popup a press would leave for the bank's page.
  if (next !== 'first' && hasPopup) button?.click()
}

interface CheckoutProps {
  /** Renders the cart with the given Pay button in each group. */
  readonly children: (
    renderPay: (group: PayableGroup, all: readonly PayableGroup[]) => ReactNode,
    renderPayAll: (all: readonly PayableGroup[]) => ReactNode,
    renderLink: (group: PayableGroup) => ReactNode,
  ) => ReactNode
}

const BANK_PAGE = { kind: 'bank-page' } as const

/** The checkout: a popup with saved cards in the new flow, the bank's page at once in the legacy one. */
export function Checkout({ children }: CheckoutProps) {
  const checkout = useCheckout()
  const { group, stage } = checkout
  const { data: user } = useSuspenseQuery(userQuery())
  const config = useConfig()
  const payAll = useOpenPayAll(user.id)
  const [clientPays, setClientPays] = useState<PayableGroup | null>(null)
  const hasPopup = user.new_flow_enabled
  useEffect(() => beginPaying(hasPopup), [hasPopup])
  const cards = useQuery({ ...savedCardsQuery(), enabled: false })
  // Where the cards were not asked for yet, there may be some.
  const mayHaveCards = hasPopup && cards.data?.tokens.length !== 0
  const paysAll = (all: readonly PayableGroup[]) =>
    mayHaveCards && all.length > 1 && !all.some(({ held }) => held)

  return (
    <>
      <WhatHappened checkout={checkout} hasPopup={hasPopup} />
      {children(
        (wanted, all) => (
          <PayButton
            group={wanted}
            stage={group?.clientId === wanted.clientId ? stage : { kind: 'idle' }}
            failureShown={!hasPopup}
            variant={paysAll(all) ? 'quiet' : 'primary'}
            onPress={() => void (hasPopup ? checkout.open(wanted) : checkout.pay(wanted, BANK_PAGE))}
          />
        ),
        // Only a saved card pays several orders without a page for each of them.
        (all) =>
          hasPopup && (
            <PayAllButton
              groups={all}
              variant={paysAll(all) ? 'primary' : 'quiet'}
              loading={payAll.opening}
              onPress={() => void payAll.open(all)}
            />
          ),
        (wanted) => (
          <LinkButton group={wanted} onPress={() => setClientPays(wanted)} />
        ),
      )}
      {clientPays !== null && <ClientPaysPart group={clientPays} onClose={() => setClientPays(null)} />}
      {hasPopup && payAll.run !== null && (
        <Suspense fallback={<AwaitedPart>{null}</AwaitedPart>}>
          <PayAll
            key={payAll.run.number}
            groups={payAll.run.groups}
            notaryId={user.id}
            offer={config?.offer_url}
            onClose={payAll.close}
          />
        </Suspense>
      )}
      {hasPopup && <Popup checkout={checkout} offer={config?.offer_url} />}
      <Waits stage={stage} hasPopup={hasPopup} onStay={checkout.hurry} />
    </>
  )
}

interface PartOfCheckoutProps {
  readonly checkout: ReturnType<typeof useCheckout>
}

/** What a press has led to, where neither the popup nor the button of the group tells it. */
function WhatHappened({
  checkout: { group, stage, ordered },
  hasPopup,
}: PartOfCheckoutProps & { readonly hasPopup: boolean }) {
  const cart = useQuery({ ...cartQuery(), enabled: false }).data
  // The group and its button are no longer in the cart.
  const isGone = cart?.groups.every(({ client }) => client.id !== group?.clientId) === true
  return (
    <>
      {stage.kind === 'failed' && !hasPopup && isGone && (
        <PayFailure failure={stage.failure} outcome={stage.outcome} />
      )}
      {ordered !== null && stage.kind === 'idle' && <OrderedNotice order={ordered} />}
    </>
  )
}

interface PopupProps extends PartOfCheckoutProps {
  readonly offer: string | undefined
}

/** The popup, from its opening until the answer. */
function Popup({ checkout, offer }: PopupProps) {
  const { group, stage } = checkout
  const cards = useQuery({ ...savedCardsQuery(), enabled: false }).data
  // After a refused sum the dialog shows the cart's current sum.
  const cart = useQuery({ ...cartQuery(), enabled: false }).data
  const shown = group !== null && stage.kind === 'failed' ? groupInCart(cart, group) : group
  const isOpen = stage.kind === 'choosing' || stage.kind === 'paying' || stage.kind === 'failed'
  if (shown === null || !isOpen) return null
  return (
    <PaymentMethodDialog
      group={shown}
      stage={stage}
      cards={cards?.tokens ?? []}
      lastUsed={cards?.last_used ?? null}
      offer={offer}
      onPay={(method) => void checkout.pay(shown, method)}
      onClose={checkout.close}
    />
  )
}

/** The dialog by which a client gets the link to pay herself. */
function ClientPaysPart({ group, onClose }: { readonly group: PayableGroup; readonly onClose: () => void }) {
  const queryClient = useQueryClient()
  function close() {
    onClose()
    const groups = queryClient.getQueryData(cartQuery().queryKey)?.groups
    // Where the client's payments are in the cart no more, the pressed button is gone.
    if (groups?.every(({ client }) => client.id !== group.clientId) === true) focusHeading()
  }
  return (
    <Suspense fallback={<AwaitedPart>{null}</AwaitedPart>}>
      <ClientPays group={group} onClose={close} />
    </Suspense>
  )
}

interface PayButtonProps {
  readonly group: PayableGroup
  readonly stage: Stage
  /** The legacy flow has no popup to show the failure in. */
  readonly failureShown: boolean
  /** Quiet beside the button for all clients, while that can be used. */
  readonly variant: 'primary' | 'quiet'
  readonly onPress: () => void
}

/** Names the sum and the client, so that nobody pays for somebody else. */
function PayButton({ group, stage, failureShown, variant, onPress }: PayButtonProps) {
  const { t } = useLingui()
  const offline = useOnline() ? null : t`Немає зв’язку з інтернетом`
  const sum = formatHryvnias(group.sum, useLocale())
  const { clientName } = group
  const working = stage.kind === 'opening' || stage.kind === 'paying' || stage.kind === 'leaving'
  return (
    <>
      {failureShown && stage.kind === 'failed' && (
        <div className="w-full">
          <PayFailure failure={stage.failure} outcome={stage.outcome} />
        </div>
      )}
      <Button
        data-pay=""
        variant={variant}
        icon="card"
        loading={working}
        disabledReason={working ? null : (group.disabledReason ?? offline)}
        onClick={onPress}
      >
        {/* The heading of the group has all of a long name. */}
        <span className="line-clamp-2">
          <Trans>
            Сплатити {sum} – {clientName}
          </Trans>
        </span>
      </Button>
    </>
  )
}

/** The client pays herself, by a link. */
function LinkButton({ group, onPress }: { readonly group: PayableGroup; readonly onPress: () => void }) {
  const { t } = useLingui()
  const { clientName } = group
  const offline = useOnline() ? null : t`Немає зв’язку з інтернетом`
  return (
    <Button
      size="small"
      icon="external"
      aria-label={t`Клієнт платить сам: ${clientName}`}
      disabledReason={group.disabledReason ?? offline}
      onClick={onPress}
    >
      <Trans>Клієнт платить сам</Trans>
    </Button>
  )
}

/** Several orders at once may be paid while none of their groups is held back. */
function PayAllButton({
  groups,
  variant,
  loading,
  onPress,
}: {
  readonly groups: readonly PayableGroup[]
  readonly variant: 'primary' | 'quiet'
  readonly loading: boolean
  readonly onPress: () => void
}) {
  const { t } = useLingui()
  const offline = useOnline() ? null : t`Немає зв’язку з інтернетом`
  const sum = formatHryvnias(total(groups.map((group) => group.sum)), useLocale())
  const held = groups.find(({ disabledReason }) => disabledReason !== null)?.disabledReason ?? null
  return (
    <Button
      data-pay=""
      variant={variant}
      icon="card"
      loading={loading}
      disabledReason={held ?? offline}
      onClick={onPress}
    >
      <Trans>Сплатити за всіх: {sum}</Trans>
    </Button>
  )
}

/** Opens the payment of several clients: by the button, or where a reload has interrupted it. */
function useOpenPayAll(notaryId: string) {
  const [run, setRun] = useState<{ readonly number: number; readonly groups: readonly PaidGroup[] } | null>(
    () => (keptRun(notaryId) === null ? null : { number: 0, groups: [] }),
  )
  const [opening, setOpening] = useState(false)
  const queryClient = useQueryClient()
  return {
    run,
    opening,
    open: async (groups: readonly PaidGroup[]) => {
      setOpening(true)
      // The popup shows that they failed to load.
      await queryClient.prefetchQuery({ ...savedCardsQuery(), staleTime: 0, retry: false })
      setOpening(false)
      setRun((last) => ({ number: (last?.number ?? 0) + 1, groups }))
    },
    close: () => {
      setRun(null)
      focusHeading()
    },
  }
}

/** Says that an order was made, where the notary stays in the cart because other clients' payments wait there. */
function OrderedNotice({ order: { id, number, status } }: { readonly order: OrderSummary }) {
  useEffect(focusHeading, [id])
  const { start, running, failure } = useDownloads()
  const { i18n } = useLingui()
  const receipt = (type: ReceiptType) => ({
    loading: running.has(type),
    onClick: () => start({ name: type, load: () => orderReceipt(id, type) }),
  })
  return (
    <div className="mb-6">
      <Notice
        tone={status === 'paid' ? 'success' : 'info'}
        announce
        title={
          status === 'paid' ? (
            <Trans>Замовлення № {number} оплачено</Trans>
          ) : (
            <Trans>Замовлення № {number} прийнято, оплата обробляється</Trans>
          )
        }
        actions={
          <>
            {status === 'paid' && (
              <>
                <Button size="small" icon="receipt" {...receipt('payment')}>
                  <Trans>Квитанція про сплату</Trans>
                </Button>
                <Button size="small" icon="receipt" {...receipt('commission')}>
                  <Trans>Квитанція про комісію</Trans>
                </Button>
              </>
            )}
            <Link to="/order/$id/payment-status" params={{ id }} className={buttonClass({ size: 'small' })}>
              <Trans>Відкрити замовлення</Trans>
            </Link>
          </>
        }
      >
        <Trans>У кошику ще є платежі інших клієнтів.</Trans>
        {failure !== null && (
          <p role="alert" className="text-danger">
            {failureText(failure, i18n)}
          </p>
        )}
      </Notice>
    </div>
  )
}
