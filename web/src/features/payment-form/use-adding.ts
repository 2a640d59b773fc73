import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { addToCart, cartQuery, lastClientQuery } from '@/api/cart'
import { cartCountQuery } from '@/api/cart-count'
import { Refusal } from '@/api/failure'
import type { PaymentType } from '@/api/payment-types'
import { userQuery, type User } from '@/api/user'
import { addIntentOf, type AddIntent } from '@/forms/add-intent'
import { forgetDraft } from '@/forms/draft'
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

export interface AddedPayment extends Added {
  readonly values: PaymentValues
  /** The form was emptied: nothing was typed while the payment was being added. */
  readonly emptied: boolean
}

interface AddingOptions {
  readonly initial: PaymentValues
  readonly empty: PaymentValues
  /** The intent of the draft, whose request had no answer. */
  readonly waiting: AddIntent | null
  readonly types: readonly PaymentType[]
  readonly user: User
  readonly onEmptied: () => void
}

function addedPayment(
  itemId: string,
  { client, sum }: PaymentRequest,
  values: PaymentValues,
  emptied: boolean,
): AddedPayment {
  return {
    itemId,
    clientName: client.full_name,
    sum: sum === undefined ? null : fromHryvnias(sum),
    values,
    emptied,
  }
}

/** Updates the cached answers that a payment added for this client has changed. `count`: the items of the cart now. */
function cacheAdded(queryClient: QueryClient, client: PaymentRequest['client'], count: number): void {
  queryClient.setQueryData(cartCountQuery().queryKey, count)
  const { name_as_typed: _asTyped, ...stored } = client
  queryClient.setQueryData(lastClientQuery().queryKey, stored)
  void queryClient.invalidateQueries({ queryKey: cartQuery().queryKey })
  void queryClient.invalidateQueries({ queryKey: ['book', 'clients'] })
  // The next payment begins with the account of the profile, which may have changed on another device.
  void queryClient.invalidateQueries({ queryKey: userQuery().queryKey })
}

/** The form of a payment, and adding it to the cart. */
export function useAdding({ initial, empty, waiting, types, user, onEmptied }: AddingOptions) {
  const queryClient = useQueryClient()
  const [intent, setIntent] = useState(waiting)
  const [added, setAdded] = useState<AddedPayment | null>(null)
  const [changed, setChanged] = useState<{ readonly price: NewPrice; readonly of: PaymentValues } | null>(
    null,
  )

  const { kindOf, readerWith } = paymentReader(queryClient, types, user)

  const form: Form<PaymentValues, PaymentRequest> = useForm({
    name: 'payment',
    initial: () => initial,
    read: readerWith(null),
    submit: (request: PaymentRequest) => {
      setChanged(null)
      const asked = addIntentOf(request, intent)
      setIntent(asked)
      return addToCart(request, asked.key)
    },
    onSent: ({ item_id: itemId, items_count: count }, request, sent) => {
      // Another notary may have signed in on this page while the answer was on its way.
      if (queryClient.getQueryData(userQuery().queryKey)?.id !== user.id) return
      setIntent(null)
      // Values that were changed during the request are not in the cart, so they stay in the form.
      const emptied = isSame(form.values, sent)
      setAdded(addedPayment(itemId, request, sent, emptied))
      if (emptied) {
        const { ownIban, ownOkpo } = sent
        // If the profile has no account, the typed one stays in the form, since it is not stored anywhere else.
        form.reset(user.iban === '' ? { ...empty, ownIban, ownOkpo } : empty)
        onEmptied()
        forgetDraft(paymentDraft)
      }
      cacheAdded(queryClient, request.client, count)
    },
    onFailure: (failure, { sent }) => {
      if (!(failure instanceof Refusal) || failure.key !== 'price_changed') return false
      const { price } = failure.extra
      if (!price || !haveSamePrice(sent, form.values)) return false
      setChanged({ price: readPrice(price), of: sent })
      return true
    },
    fieldOf: (wireName, values) => fieldOf(wireName, kindOf(values)),
    errorText,
    hasSummary: true,
  })
  usePaymentDraft(user.id, form.values, empty, intent)

  return {
    form,
    kind: kindOf(form.values),
    /** The payment that was added last, while its notice is shown. */
    added,
    setAdded,
    /** The server's new price. Null once the payment has changed so that its price may be another. */
    newPrice: changed !== null && haveSamePrice(changed.of, form.values) ? changed.price : null,
    refuseNewPrice: () => setChanged(null),
    /** Adds the payment at this price. */
    add: (price: ShownPrice | null) => form.send(readerWith(price)),
  }
}
