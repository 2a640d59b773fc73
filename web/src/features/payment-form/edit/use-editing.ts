import { useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'

import { cartQuery, lastClientQuery, type Cart } from '@/api/cart'
import { cartCountQuery } from '@/api/cart-count'
import { bookKey } from '@/api/book-key'
import { editItem, loadItem } from '@/api/edit-item'
import { Refusal } from '@/api/failure'
import type { PaymentType } from '@/api/payment-types'
import type { User } from '@/api/user'
import { forgetDraft, type DraftKey } from '@/forms/draft'
import { isStillSignedIn } from '@/forms/still-signed-in'
import { useForm, type Form } from '@/forms/use-form'
import { cartRowId } from '@/lib/cart-row-id'
import { ok } from '@/lib/result'
import { useIsShown } from '@/lib/use-is-shown'
import { showToast } from '@/ui/toast'

import { haveSamePrice } from '../amount'
import { errorText } from '../field-texts'
import { readPrice, type NewPrice } from '../new-price'
import { paymentReader } from '../payment-reader'
import type { PaymentRequest, ShownPrice } from '../read-payment'
import { fieldOf } from '../refused-fields'
import { isSame, type PaymentValues } from '../values'
import { useItemDraft, type ItemDraft } from './draft'

/** Why an item can't be saved as it is: it was changed elsewhere, or has left the cart. */
export type Conflict = 'changed' | 'gone'

export interface EditingOptions {
  readonly itemId: string
  /** What the item is in the cart. */
  readonly version: string
  readonly inCart: PaymentValues
  /** Changes that were typed earlier and not saved. */
  readonly draft: ItemDraft | null
  readonly draftKey: DraftKey<ItemDraft>
  readonly types: readonly PaymentType[]
  readonly user: User
}

interface EditRequest {
  readonly payment: PaymentRequest
  /** The notary has seen that the item was changed elsewhere, and saves hers all the same. */
  readonly overwrites: boolean
}

function conflictOf(failure: unknown): Conflict | null {
  if (!(failure instanceof Refusal)) return null
  if (failure.key === 'cart_item_changed') return 'changed'
  return failure.key === 'cart_item_gone' || failure.key === 'cart_item_not_found' ? 'gone' : null
}

/** The form of an item of the cart, and saving it. */
export function useEditing({ itemId, inCart, draft, draftKey, types, user, ...opened }: EditingOptions) {
  const queryClient = useQueryClient()
  const leave = useLeaving(itemId)
  const [saved, setSaved] = useState(false)
  const obstacles = useObstacles(draft !== null && draft.version !== opened.version)
  // What the next save expects in the cart: what the form was filled with, or what the notary has decided to overwrite.
  const [version, setVersion] = useState(draft?.version ?? opened.version)
  const { kindOf, readerWith } = paymentReader(queryClient, types, user)
  const reader = (price: ShownPrice | null, overwrites: boolean) => (values: PaymentValues) => {
    const payment = readerWith(price)(values)
    return payment.ok ? ok({ payment: payment.value, overwrites }) : payment
  }

  const form: Form<PaymentValues, EditRequest> = useForm({
    name: 'payment',
    initial: () => draft?.values ?? inCart,
    read: reader(null, false),
    submit: async ({ payment, overwrites }: EditRequest) => {
      obstacles.clear()
      const expected = overwrites ? (await loadItem(itemId)).version : version
      setVersion(expected)
      return editItem(itemId, expected, payment)
    },
    onSent: (cart) => {
      if (!isStillSignedIn(queryClient, user.id)) return
      setSaved(true)
      forgetDraft(draftKey)
      leave(cart)
    },
    onFailure: (failure, { sent }) => obstacles.meet(failure, sent, form.values),
    fieldOf: (wireName, values) => fieldOf(wireName, kindOf(values)),
    errorText,
    hasSummary: true,
    isLeftOnSuccess: true,
  })
  const { values } = form
  useItemDraft(draftKey, user.id, version, saved || isSame(values, inCart) ? null : values)

  return {
    form,
    kind: kindOf(values),
    conflict: obstacles.conflict,
    /** Shows what was in the cart when the form was opened, and saves over nothing newer. */
    reset: () => {
      form.reset(inCart)
      setVersion(opened.version)
    },
    /** The server's new price. Null once the payment has changed so that its price may be another. */
    newPrice: obstacles.newPriceOf(values),
    refuseNewPrice: obstacles.refuseNewPrice,
    /** Saves the payment at this price. */
    save: (price: ShownPrice | null, overwrites = false) => form.send(reader(price, overwrites)),
  }
}

/** What a save has met: a conflict, or a price that has changed. */
function useObstacles(isOutdated: boolean) {
  const [conflict, setConflict] = useState<Conflict | null>(isOutdated ? 'changed' : null)
  const [changed, setChanged] = useState<{ readonly price: NewPrice; readonly of: PaymentValues } | null>(
    null,
  )
  /** Returns whether the failure is such an obstacle. */
  function meet(failure: unknown, sent: PaymentValues, now: PaymentValues): boolean {
    const met = conflictOf(failure)
    if (met !== null) {
      setConflict(met)
      return true
    }
    if (!(failure instanceof Refusal) || failure.key !== 'price_changed') return false
    const { price } = failure.extra
    if (!price || !haveSamePrice(sent, now)) return false
    setChanged({ price: readPrice(price), of: sent })
    return true
  }
  return {
    conflict,
    meet,
    newPriceOf: (values: PaymentValues) =>
      changed !== null && haveSamePrice(changed.of, values) ? changed.price : null,
    refuseNewPrice: () => setChanged(null),
    clear: () => {
      setChanged(null)
      setConflict(null)
    },
  }
}

/** Returns a function that shows the changed cart, at the row of the item. */
function useLeaving(itemId: string) {
  const { t } = useLingui()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const isShown = useIsShown()
  return (cart: Cart) => {
    // An older answer must not overwrite the new cart.
    void queryClient.cancelQueries({ queryKey: cartQuery().queryKey })
    queryClient.setQueryData(cartQuery().queryKey, cart)
    queryClient.setQueryData(cartCountQuery().queryKey, cart.items_count)
    void queryClient.invalidateQueries({ queryKey: lastClientQuery().queryKey })
    void queryClient.invalidateQueries({ queryKey: bookKey.clients })
    showToast({ text: t`Зміни платежу збережено` })
    if (isShown()) void navigate({ to: '/cart', hash: cartRowId(itemId) })
  }
}
