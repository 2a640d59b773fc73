import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'

import { addToCart, cartQuery, lastClientQuery, type DuplicatePayment } from '@/api/cart'
import { cartCountQuery } from '@/api/cart-count'
import { bookKey } from '@/api/book-key'
import { Refusal } from '@/api/failure'
import type { PaymentType } from '@/api/payment-types'
import { userQuery, type User } from '@/api/user'
import { addIntentOf, type AddIntent } from '@/forms/add-intent'
import { forgetDraft } from '@/forms/draft'
import { isStillSignedIn } from '@/forms/still-signed-in'
import { useForm, type Form } from '@/forms/use-form'
import { fromHryvnias } from '@/lib/money'

import type { Added } from './requisites/added-notice'
import { haveSamePrice } from './amount'
import { paymentDraft, usePaymentDraft } from './draft'
import { errorText } from './field-texts'
import { readPrice, type NewPrice } from './new-price'
import { paymentReader } from './payment-reader'
import type { PaymentRequest, ShownPrice } from './read-payment'
import { fieldOf } from './refused-fields'
import { isSame, type PaymentValues } from './values'

interface AddedPayment extends Added {
  readonly values: PaymentValues
  /** The form was emptied: nothing was typed while the payment was being added. */
  readonly emptied: boolean
  readonly next: Next
}

/** What follows an added payment: its notice, the fields of the next client, or the popup that pays it. */
export type Next = 'notice' | 'client' | 'popup'

/** What the server asks before a payment is added. */
interface Question {
  readonly price: NewPrice | null | undefined
  readonly duplicate: DuplicatePayment | null | undefined
  /** The values that it is about. */
  readonly of: PaymentValues
}

/** The last try. */
interface Try {
  readonly price: ShownPrice | null
  /** The payment was wanted twice. */
  readonly twice: boolean
  /** The intent before it. */
  readonly earlier: AddIntent | null
}

interface AddingOptions {
  readonly initial: PaymentValues
  readonly empty: PaymentValues
  /** The intent of the draft, whose request had no answer. */
  readonly waiting: AddIntent | null
  /** The draft that the form was opened without. */
  readonly replaced: PaymentValues | null
  readonly types: readonly PaymentType[]
  readonly user: User
  readonly onEmptied: () => void
  /** Called when an added payment is to be paid at once. */
  readonly onPay: (itemId: string) => void
}

/** Updates the cached answers that a payment added for this client has changed. `count`: the items of the cart now. */
function cacheAdded(queryClient: QueryClient, client: PaymentRequest['client'], count: number): void {
  queryClient.setQueryData(cartCountQuery().queryKey, count)
  const { name_as_typed: _asTyped, ...stored } = client
  queryClient.setQueryData(lastClientQuery().queryKey, stored)
  void queryClient.invalidateQueries({ queryKey: cartQuery().queryKey })
  void queryClient.invalidateQueries({ queryKey: bookKey.clients })
  // The next payment begins with the account of the profile, which may have changed on another device.
  void queryClient.invalidateQueries({ queryKey: userQuery().queryKey })
}

/** The form of a payment, and adding it to the cart. */
export function useAdding(options: AddingOptions) {
  const { initial, empty, waiting, replaced, types, user } = options
  const queryClient = useQueryClient()
  const [intent, setIntent] = useState(waiting)
  const question = useQuestion()
  const tried = useRef<Try>(null)
  const { goOn, ...after } = useAfterAdding(options)
  const { kindOf, readerWith } = paymentReader(queryClient, types, user)

  const form: Form<PaymentValues, PaymentRequest> = useForm({
    name: 'payment',
    initial: () => initial,
    read: readerWith(null),
    submit: (request: PaymentRequest) => {
      question.forget()
      const asked = addIntentOf(request, intent)
      setIntent(asked)
      return addToCart(request, asked.key, tried.current?.twice === true)
    },
    onSent: (answer, request, sent) => {
      if (!isStillSignedIn(queryClient, user.id)) return
      setIntent(null)
      goOn(form, answer, request, sent)
    },
    onFailure: (failure, { sent }) => {
      if (!(failure instanceof Refusal)) return false
      // A refusal answers its own press, and none before it.
      setIntent(tried.current?.earlier ?? null)
      return question.ask(failure, sent, form.values)
    },
    fieldOf: (wireName, values) => fieldOf(wireName, kindOf(values)),
    errorText,
    hasSummary: true,
  })
  // The intent of a replaced draft is not that of what is typed now.
  usePaymentDraft(user.id, form.values, empty, replaced && intent === waiting ? null : intent)

  function add(price: ShownPrice | null, twice = false) {
    tried.current = { price, twice, earlier: intent }
    form.send(readerWith(price))
  }

  return {
    ...after,
    form,
    kind: kindOf(form.values),
    /** Why the last try has failed. Undefined: the payment of before a reload had no answer, and is still in the form. */
    failure:
      form.failure ??
      (waiting && intent === waiting && !replaced && isSame(form.values, initial) ? undefined : null),
    newPrice: question.newPriceOf(form.values),
    duplicate: question.duplicate,
    refuse: question.forget,
    addTwice: () => add(tried.current?.price ?? null, true),
    /** Adds the payment at this price. */
    add,
  }
}

/** What the server asks before a payment is added. */
function useQuestion() {
  const [question, setQuestion] = useState<Question | null>(null)
  return {
    /** Returns whether the refusal asks something. */
    ask: (refusal: Refusal, sent: PaymentValues, now: PaymentValues): boolean => {
      const { price, duplicate } = refusal.extra
      // What is asked about must still be in the form: the whole payment of a duplicate, what sets the price of a new price.
      const isStillThere = duplicate ? isSame : haveSamePrice
      if (!(duplicate ?? price) || !isStillThere(sent, now)) return false
      setQuestion({ price: price && readPrice(price), duplicate, of: sent })
      return true
    },
    forget: () => setQuestion(null),
    /** The server's new price. Null once the payment has changed so that its price may be another. */
    newPriceOf: (values: PaymentValues) =>
      question?.price && haveSamePrice(question.of, values) ? question.price : null,
    /** The same payment, which is there already, and this one. */
    duplicate: question?.duplicate,
  }
}

/** What follows once a payment is in the cart. */
function useAfterAdding({ empty, user, onEmptied, onPay }: AddingOptions) {
  const queryClient = useQueryClient()
  const [added, setAdded] = useState<AddedPayment | null>(null)
  const next = useRef<Next>('notice')

  function goOn(
    form: Form<PaymentValues, PaymentRequest>,
    { item_id: itemId, items_count: count, mended_full_name: mended }: Awaited<ReturnType<typeof addToCart>>,
    { client: typed, sum }: PaymentRequest,
    sent: PaymentValues,
  ) {
    // Values that were changed during the request are not in the cart, so they stay in the form.
    const emptied = isSame(form.values, sent)
    const client = { ...typed, full_name: mended ?? typed.full_name }
    setAdded({
      itemId,
      clientName: client.full_name,
      sum: sum === undefined ? null : fromHryvnias(sum),
      values: sent,
      emptied,
      next: next.current,
    })
    if (emptied) {
      const { ownIban, ownOkpo } = sent
      // If the profile has no account, the typed one stays in the form, since it is not stored anywhere else.
      form.reset(user.iban === '' ? { ...empty, ownIban, ownOkpo } : empty)
      onEmptied()
      forgetDraft(paymentDraft)
    }
    cacheAdded(queryClient, client, count)
    if (emptied && next.current === 'client') form.focus('clientCode')
    if (emptied && next.current === 'popup') onPay(itemId)
  }

  return {
    goOn,
    /** The payment that was added last, while its notice is shown. */
    added,
    setAdded,
    /** What is to follow the payment that is added now. */
    setNext: (wanted: Next) => {
      next.current = wanted
    },
  }
}
