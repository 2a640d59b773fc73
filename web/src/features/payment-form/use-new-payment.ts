import { useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, type FormEvent } from 'react'

import { cartQuery } from '@/api/cart'
import type { Config } from '@/api/config'
import type { PaymentType } from '@/api/payment-types'
import type { User } from '@/api/user'
import type { AddIntent } from '@/forms/add-intent'
import { forgetDraft } from '@/forms/draft'
import { payNext } from '@/lib/pay-next'

import type { Opening } from './arrival'
import { paymentDraft } from './draft'
import { usePaymentLists } from './lists'
import { withClient } from './template'
import { useAdding, type Next } from './use-adding'
import { useAskingPress } from './use-asking-press'
import { usePaymentBack } from './use-given-back'
import { useProfileAccount, usePurposeOfClient } from './use-late-values'
import { usePrice } from './use-price'
import { isWorthKeeping, type PaymentValues } from './values'

export interface NewPaymentOptions extends Opening {
  /** The intent of the draft, whose request had no answer. */
  readonly waiting: AddIntent | null
  readonly types: readonly PaymentType[]
  readonly user: User
  readonly config: Config
  /** Called when the form no longer holds what it was opened with. */
  readonly onEmptied: () => void
}

/** The state of the form of a new payment, and what its buttons do. */
export function useNewPayment(options: NewPaymentOptions) {
  const { empty, user, config, onEmptied } = options
  const { t } = useLingui()
  const payAdded = usePayingAdded()
  const { form, kind, ...adding } = useAdding({ ...options, onPay: (itemId) => void payAdded(itemId) })
  const { values } = form
  const lists = usePaymentLists(kind, values)
  const template = lists.templates.entries.find(({ id }) => id === values.templateId)
  const price = usePrice(kind, values, lists, config)
  useProfileAccount(form, empty)
  usePurposeOfClient(form, options.purposeFor, template)
  const { asked, press, answered } = useAskingPress(values, () => adding.add(price))
  const pressing = usePressing((next) => {
    adding.setAdded(null)
    adding.setNext(next)
    press(null)
  })
  const put = (earlier: PaymentValues) => {
    form.reset(earlier)
    onEmptied()
  }
  const { offerBack, wayBack } = usePaymentBack(user.id, empty, options.replaced, put)
  return {
    form,
    kind,
    lists,
    template,
    price,
    adding,
    asked,
    put,
    ...pressing,
    answered,
    clear: () => {
      form.reset(empty)
      onEmptied()
      adding.refuse()
      forgetDraft(paymentDraft)
      offerBack(t`Форму очищено`, values)
      form.focus('clientCode')
    },
    /** Begins the next payment of the client of the added one. */
    startSameClient: ({ clientName, clientCode, legalEntity, nameAsTyped, keptApart }: PaymentValues) => {
      const client = { clientName, clientCode, legalEntity, nameAsTyped, keptApart }
      form.change((current) => withClient(current, client, template))
      adding.setAdded(null)
      form.focus('paymentTypeId')
    },
    /** What the added payment needs to be taken out of the cart again. */
    undo: {
      isFree: !isWorthKeeping(values),
      putBack: wayBack,
      onUndone: (itemId: string) =>
        adding.setAdded((current) => (current?.itemId === itemId ? null : current)),
    },
    /** Offers an undo for the values that a template has replaced. */
    offerReplaced: (earlier: PaymentValues) => offerBack(t`Шаблон замінив введені дані`, earlier),
  }
}

/** Returns a function that leads to the cart, where an added payment is then paid. */
function usePayingAdded() {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return async (itemId: string) => {
    payNext(itemId)
    // What the cart held before has no button for the added payment.
    await queryClient.fetchQuery(cartQuery()).catch(() => undefined)
    await navigate({ to: '/cart' })
  }
}

/** The button of the form. A press of keys says what is to follow; any other press leads to the notice. */
function usePressing(send: (next: Next) => void) {
  const next = useRef<Next>('notice')
  return {
    submit: (event: FormEvent) => {
      event.preventDefault()
      send(next.current)
    },
    /** Presses the button, and goes on to what is given. */
    pressFor: (wanted: Next, button: HTMLElement | null) => {
      next.current = wanted
      button?.click()
      next.current = 'notice'
    },
  }
}
