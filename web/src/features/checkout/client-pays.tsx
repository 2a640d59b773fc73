import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense, useRef, useState, type Ref } from 'react'

import { cartQuery } from '@/api/cart'
import { cartCountQuery } from '@/api/cart-count'
import { makeClientLink, type MadeClientLink } from '@/api/client-link'
import { isDefinite } from '@/api/definite'
import { Refusal } from '@/api/failure'
import { ordersKey, type Order, type OrderSummary } from '@/api/orders'
import { mayTakeMoney, takesCodes } from '@/api/payment-state'
import { CodePicture } from '@/forms/order-file/code-picture'
import { failureText, messageText } from '@/i18n/message-texts'
import { longMoment } from '@/lib/dates'
import { later } from '@/lib/later'
import { fromHryvnias } from '@/lib/money'
import { useLocale } from '@/lib/use-locale'
import { Button, buttonClass } from '@/ui/button'
import { Dialog } from '@/ui/dialog'
import { announce } from '@/ui/live-region'
import { Notice } from '@/ui/notice'
import { Loading } from '@/ui/spinner'
import { Sum } from '@/ui/sum'
import { TextField } from '@/ui/text-field'
import { useFocusAfter } from '@/ui/use-focus-after'

import { createOnlyOrder, type PaidGroup } from './create-order'
import { groupInCart } from './group-in-cart'
import { payOutcomeOf, type PayOutcome } from './outcome'
import { endPayIntent, isPayIntentOpen } from './pay-intent'
import { PayFailure } from './pay-failure'

const SendMade = later(async () => (await import('@/forms/client-link/load')).loadSendMade())

type Stage =
  | { readonly kind: 'asking' }
  | { readonly kind: 'making'; readonly order: OrderSummary | null }
  /** No order is known. */
  | { readonly kind: 'failed'; readonly failure: unknown; readonly outcome: PayOutcome }
  /** Another window has made the order, where it may have a link already, or be paid. */
  | { readonly kind: 'ordered-elsewhere'; readonly order: Order }
  /** The order is made, but not its link. */
  | { readonly kind: 'no-link'; readonly order: OrderSummary; readonly failure: unknown }
  | { readonly kind: 'made'; readonly order: OrderSummary; readonly made: MadeClientLink }

/** The order of the payments, once it is known. */
const orderOf = (stage: Stage) => ('order' in stage ? stage.order : null)

/** A phone has a sheet with the ways to send something. */
const hasShareSheet = () =>
  typeof navigator.share === 'function' && window.matchMedia('(pointer: coarse)').matches

/** Opens the share sheet. Closing it is no failure, and the address stays in sight. */
const share = (url: string) => navigator.share({ url }).catch(() => undefined)

/** Makes the order of a client's payments and the link by which she pays it herself, past the bank's page on this screen. */
function useClientPays(group: PaidGroup) {
  const queryClient = useQueryClient()
  const [stage, setStage] = useState<Stage>({ kind: 'asking' })
  // A state would be updated too late for the second click of a double click.
  const busy = useRef(false)
  // After a refused sum the next press orders what the cart has now.
  const cart = useQuery({ ...cartQuery(), enabled: false }).data
  const [ordered, setOrdered] = useState(group)
  const shown = stage.kind === 'failed' ? groupInCart(cart, ordered) : ordered

  async function makeLink(order: OrderSummary) {
    setStage({ kind: 'making', order })
    try {
      const made = await makeClientLink(queryClient, order.id, null)
      setStage({ kind: 'made', order, made })
      if (hasShareSheet()) void share(made.url)
    } catch (failure) {
      setStage({ kind: 'no-link', order, failure })
    }
  }

  async function makeOrder() {
    setStage({ kind: 'making', order: null })
    setOrdered(shown)
    try {
      const created = await createOnlyOrder(shown, { kind: 'bank-page' }, () => undefined).finally(() => {
        void queryClient.invalidateQueries({ queryKey: ordersKey.all })
      })
      endPayIntent(shown)
      // Its payments have left the cart.
      void queryClient.invalidateQueries({ queryKey: cartQuery().queryKey })
      void queryClient.invalidateQueries({ queryKey: cartCountQuery().queryKey })
      if (!created.existing) return created.order
      setStage({ kind: 'ordered-elsewhere', order: created.order })
    } catch (failure) {
      setStage({ kind: 'failed', failure, outcome: payOutcomeOf(failure, isPayIntentOpen(shown)) })
      // The sum or the items may have changed.
      if (isDefinite(failure)) void queryClient.invalidateQueries({ queryKey: cartQuery().queryKey })
    }
    return null
  }

  async function start() {
    if (busy.current) return
    busy.current = true
    const order = orderOf(stage) ?? (await makeOrder())
    if (order !== null) await makeLink(order)
    busy.current = false
  }
  return { shown, stage, start }
}

/** Whether the next press may make a link. While a charge of a card may still take money, the client's page would refuse to pay. */
function takesLink(stage: Stage): boolean {
  if (stage.kind === 'ordered-elsewhere') return takesCodes(stage.order)
  return !(stage.kind === 'failed' && stage.outcome === 'ordered-elsewhere')
}

interface ClientPaysProps {
  readonly group: PaidGroup
  readonly onClose: () => void
}

/** The client pays herself: what that means, and then the link with its QR code. */
export function ClientPays({ group, onClose }: ClientPaysProps) {
  const { shown, stage, start } = useClientPays(group)
  const making = stage.kind === 'making'
  const order = orderOf(stage)
  // «Готово», or «Скасувати» while there is no order to be opened.
  const close = useRef<HTMLButtonElement>(null)
  const open = useRef<HTMLAnchorElement>(null)
  const isOffered = stage.kind !== 'made' && takesLink(stage)
  // The pressed button is gone.
  useFocusAfter(!isOffered, stage.kind === 'made' || order === null ? close : open)
  return (
    <Dialog
      open
      onClose={onClose}
      closable={!making}
      title={<Trans>Посилання для клієнта</Trans>}
      actions={
        stage.kind === 'made' ? (
          <>
            <Button ref={close} variant="primary" onClick={onClose}>
              <Trans>Готово</Trans>
            </Button>
            <OrderLink id={stage.order.id} />
          </>
        ) : (
          <>
            {isOffered && (
              <Button data-focus-first="" variant="primary" loading={making} onClick={() => void start()}>
                <Trans>Створити посилання</Trans>
              </Button>
            )}
            {!making &&
              (order !== null ? (
                <OrderLink ref={open} id={order.id} />
              ) : (
                <Button ref={close} onClick={onClose}>
                  <Trans>Скасувати</Trans>
                </Button>
              ))}
          </>
        )
      }
    >
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="text-ink-soft">{group.clientName}</span>
        <Sum value={order === null ? shown.sum : fromHryvnias(order.sum)} size="total" />
      </p>
      {stage.kind === 'made' ? (
        <Made made={stage.made} orderId={stage.order.id} />
      ) : (
        <p>
          <Trans>
            Платежі клієнта стануть замовленням. Клієнт відкриє посилання на телефоні без входу й сплатить
            карткою або за QR-кодами. Передавайте його лише клієнту: за посиланням видно код клієнта й
            рахунки.
          </Trans>
        </p>
      )}
      {stage.kind === 'ordered-elsewhere' && <OrderedElsewhere order={stage.order} />}
      {stage.kind === 'failed' && <PayFailure failure={stage.failure} outcome={stage.outcome} />}
      {stage.kind === 'no-link' && <NoLink failure={stage.failure} />}
    </Dialog>
  )
}

function OrderLink({ id, ref }: { readonly id: string; readonly ref?: Ref<HTMLAnchorElement> }) {
  return (
    <Link ref={ref} to="/order/$id" params={{ id }} className={buttonClass()}>
      <Trans>Відкрити замовлення</Trans>
    </Link>
  )
}

/** The sum above is that of the order, which need not be that of this window. */
function OrderedElsewhere({ order }: { readonly order: Order }) {
  const { i18n } = useLingui()
  const { number } = order
  const refused = mayTakeMoney(order) ? 'payment_outcome_unknown' : 'order_not_payable'
  return (
    <Notice tone="warn" announce="at-once" title={messageText('cart_already_ordered', i18n)}>
      {takesCodes(order) ? (
        <Trans>Замовлення № {number}. Якщо для нього вже є посилання, нове його замінить.</Trans>
      ) : (
        messageText(refused, i18n)
      )}
    </Notice>
  )
}

function NoLink({ failure }: { readonly failure: unknown }) {
  const { i18n } = useLingui()
  return (
    <Notice
      tone="error"
      title={
        failure instanceof Refusal ? (
          <Trans>Замовлення створено, а посилання – ні</Trans>
        ) : (
          <Trans>Замовлення створено. Невідомо, чи створено посилання</Trans>
        )
      }
    >
      {failureText(failure, i18n)}
    </Notice>
  )
}

interface MadeProps {
  readonly made: MadeClientLink
  readonly orderId: string
}

/** The code to be held before the client's phone, and the address to be sent. */
function Made({ made, orderId }: MadeProps) {
  const { url, picture, link } = made
  const { t } = useLingui()
  const field = useRef<HTMLInputElement>(null)
  const locale = useLocale()
  const until = link.ends_at ? longMoment(link.ends_at, locale) : null
  async function copy() {
    try {
      await navigator.clipboard.writeText(url)
      announce(t`Посилання скопійовано`)
    } catch {
      // Without the right to the clipboard the text is selected, to be copied by hand.
      field.current?.select()
    }
  }
  return (
    <div className="flex flex-col gap-4">
      {picture !== null && (
        <div className="flex justify-center">
          <CodePicture picture={picture} label={t`QR-код посилання`} />
        </div>
      )}
      <div className="flex flex-wrap items-end gap-3">
        <TextField
          ref={field}
          label={t`Адреса посилання`}
          readOnly
          value={url}
          onFocus={(event) => event.currentTarget.select()}
          className="min-w-0 grow basis-64"
        />
        {hasShareSheet() && (
          <Button onClick={() => void share(url)}>
            <Trans>Поділитися</Trans>
          </Button>
        )}
        <Button onClick={() => void copy()}>
          <Trans>Скопіювати</Trans>
        </Button>
      </div>
      {until !== null && (
        <p className="text-sm text-ink-soft">
          <Trans>Діє до {until}. Адресу видно лише тут, доки відкрито цю сторінку.</Trans>
        </p>
      )}
      {/* A reload would lose the address. */}
      <Suspense fallback={<Loading />}>
        <SendMade orderId={orderId} made={made} />
      </Suspense>
    </div>
  )
}
