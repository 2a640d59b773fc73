import { Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'

import { cartQuery } from '@/api/cart'
import { cartCountQuery } from '@/api/cart-count'
import { makeClientLink, type MadeClientLink } from '@/api/client-link'
import { isDefinite } from '@/api/definite'
import { Refusal } from '@/api/failure'
import { ordersKey } from '@/api/orders'
import { CodePicture } from '@/forms/order-file/code-picture'
import { failureText } from '@/i18n/message-texts'
import { longMoment } from '@/lib/dates'
import { useLocale } from '@/lib/use-locale'
import { Button, buttonClass } from '@/ui/button'
import { Dialog } from '@/ui/dialog'
import { announce } from '@/ui/live-region'
import { Notice } from '@/ui/notice'
import { Sum } from '@/ui/sum'
import { TextField } from '@/ui/text-field'
import { useFocusAfter } from '@/ui/use-focus-after'

import { createOnlyOrder, type PaidGroup } from './create-order'
import { payOutcomeOf, type PayOutcome } from './outcome'
import { endPayIntent, isPayIntentOpen } from './pay-intent'
import { PayFailure } from './pay-failure'

type Stage =
  | { readonly kind: 'asking' }
  | { readonly kind: 'making'; readonly orderId: string | null }
  /** No order is known. */
  | { readonly kind: 'failed'; readonly failure: unknown; readonly outcome: PayOutcome }
  /** The order is made, but not its link. */
  | { readonly kind: 'no-link'; readonly orderId: string; readonly failure: unknown }
  | { readonly kind: 'made'; readonly orderId: string; readonly made: MadeClientLink }

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

  async function makeLink(orderId: string) {
    setStage({ kind: 'making', orderId })
    try {
      const made = await makeClientLink(queryClient, orderId, null)
      setStage({ kind: 'made', orderId, made })
      if (hasShareSheet()) void share(made.url)
    } catch (failure) {
      setStage({ kind: 'no-link', orderId, failure })
    }
  }

  async function makeOrder() {
    setStage({ kind: 'making', orderId: null })
    try {
      const { order } = await createOnlyOrder(group, { kind: 'bank-page' }, () => undefined).finally(() => {
        void queryClient.invalidateQueries({ queryKey: ordersKey.all })
      })
      endPayIntent(group)
      // Its payments have left the cart.
      void queryClient.invalidateQueries({ queryKey: cartQuery().queryKey })
      void queryClient.invalidateQueries({ queryKey: cartCountQuery().queryKey })
      return order.id
    } catch (failure) {
      setStage({ kind: 'failed', failure, outcome: payOutcomeOf(failure, isPayIntentOpen(group)) })
      // The sum or the items may have changed.
      if (isDefinite(failure)) void queryClient.invalidateQueries({ queryKey: cartQuery().queryKey })
      return null
    }
  }

  async function start() {
    if (busy.current) return
    busy.current = true
    const orderId = stage.kind === 'no-link' ? stage.orderId : await makeOrder()
    if (orderId !== null) await makeLink(orderId)
    busy.current = false
  }
  return { stage, start }
}

interface ClientPaysProps {
  readonly group: PaidGroup
  readonly onClose: () => void
}

/** The client pays herself: what that means, and then the link with its QR code. */
export function ClientPays({ group, onClose }: ClientPaysProps) {
  const { stage, start } = useClientPays(group)
  const making = stage.kind === 'making'
  const done = useRef<HTMLButtonElement>(null)
  useFocusAfter(stage.kind === 'made', done)
  return (
    <Dialog
      open
      onClose={onClose}
      closable={!making}
      title={<Trans>Посилання для клієнта</Trans>}
      actions={
        stage.kind === 'made' ? (
          <>
            <Button ref={done} variant="primary" onClick={onClose}>
              <Trans>Готово</Trans>
            </Button>
            <OrderLink id={stage.orderId} />
          </>
        ) : (
          <>
            {!(stage.kind === 'failed' && stage.outcome === 'ordered-elsewhere') && (
              <Button data-focus-first="" variant="primary" loading={making} onClick={() => void start()}>
                <Trans>Створити посилання</Trans>
              </Button>
            )}
            {!making &&
              (stage.kind === 'no-link' ? (
                <OrderLink id={stage.orderId} />
              ) : (
                <Button onClick={onClose}>
                  <Trans>Скасувати</Trans>
                </Button>
              ))}
          </>
        )
      }
    >
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="text-ink-soft">{group.clientName}</span>
        <Sum value={group.sum} size="total" />
      </p>
      {stage.kind === 'made' ? (
        <Made made={stage.made} />
      ) : (
        <p>
          <Trans>
            Платежі клієнта стануть замовленням. Клієнт відкриє посилання на телефоні без входу й сплатить
            карткою або за QR-кодами. Передавайте його лише клієнту: за посиланням видно код клієнта й
            рахунки.
          </Trans>
        </p>
      )}
      {stage.kind === 'failed' && <PayFailure failure={stage.failure} outcome={stage.outcome} />}
      {stage.kind === 'no-link' && <NoLink failure={stage.failure} />}
    </Dialog>
  )
}

function OrderLink({ id }: { readonly id: string }) {
  return (
    <Link to="/order/$id" params={{ id }} className={buttonClass()}>
      <Trans>Відкрити замовлення</Trans>
    </Link>
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

/** The code to be held before the client's phone, and the address to be sent. */
function Made({ made: { url, picture, link } }: { readonly made: MadeClientLink }) {
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
    </div>
  )
}
