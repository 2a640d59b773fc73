import type { EditableItem } from '@/api/edit-item'
import type { Locale } from '@/lib/locale'

import { changeOf, valuesOfRepeat, type EarlierPayment } from '../repeat'
import { type OwnAccount, type PaymentValues } from '../values'

const asEarlier = ({ item, payment_data }: EditableItem): EarlierPayment => ({
  order_item: { ...item, order: { client: item.client } },
  payment_data,
})

/**
 * The form filled from an item of the cart, with its own account. The notary's own account of the profile waits for the kind that needs
 * one.
 */
export function valuesOfItem(
  opened: EditableItem,
  profile: { readonly iban: string; readonly okpo: string },
  locale: Locale,
): PaymentValues {
  const hasOwn = opened.payment_data.payment_type.slug === 'admin_payment'
  const values = valuesOfRepeat(asEarlier(opened), hasOwn ? { iban: '', okpo: '' } : profile, locale)
  return { ...values, filingYear: opened.item.filing_year?.toString() ?? '' }
}

export const changeOfItem = (opened: EditableItem) => changeOf(asEarlier(opened))

export const accountOf = ({ ownIban, ownOkpo }: PaymentValues): OwnAccount => ({ ownIban, ownOkpo })
