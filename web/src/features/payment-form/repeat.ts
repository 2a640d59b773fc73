import { loadRepeat, type Repeat } from '@/api/repeat'
import { editableMoney, fromHryvnias } from '@/lib/money'
import type { PaymentKind } from '@/lib/commission'
import { groupIban } from '@/lib/iban'
import type { Locale } from '@/lib/locale'

import { EMPTY_PAYMENT, type PaymentValues, valuesOfClient } from './values'

type RepeatedItem = Repeat['order_item']

/** A payment that was made before, as the form needs it. */
export interface EarlierPayment {
  readonly order_item: Pick<
    RepeatedItem,
    | 'payment_type_option'
    | 'payment_type_option_term'
    | 'payment_type_requisite'
    | 'recipient_name'
    | 'iban'
    | 'okpo'
    | 'purpose'
    | 'cbc_code'
    | 'requisites_template'
    | 'sum_base'
  > & { readonly order: Pick<RepeatedItem['order'], 'client'> }
  readonly payment_data: Repeat['payment_data']
}

interface NotaryAccount {
  readonly iban: string
  readonly okpo: string
}

/**
 * The form filled from an earlier item. A choice that is no longer offered stays empty. The notary's own account is taken from
 * the profile, if it has one.
 */
export function valuesOfRepeat(
  { order_item: item, payment_data: data }: EarlierPayment,
  notary: NotaryAccount,
  locale: Locale,
): PaymentValues {
  const shared = {
    ...EMPTY_PAYMENT,
    ...valuesOfClient(item.order.client),
    paymentTypeId: data.payment_type.id,
    ownIban: groupIban(notary.iban),
    ownOkpo: notary.okpo,
  }
  if (data.payment_type.slug === 'requisites_payment') {
    return {
      ...shared,
      templateId: item.requisites_template ?? '',
      recipientName: item.recipient_name ?? '',
      iban: groupIban(item.iban ?? ''),
      okpo: item.okpo ?? '',
      budgetCode: item.cbc_code ?? '',
      purpose: item.purpose,
      amount: editableMoney(fromHryvnias(item.sum_base), locale),
    }
  }
  const ownAccount =
    data.payment_type.slug === 'admin_payment' &&
    notary.iban === '' &&
    item.iban !== null &&
    item.okpo !== null
      ? { ownIban: groupIban(item.iban), ownOkpo: item.okpo }
      : {}
  return {
    ...shared,
    ...ownAccount,
    optionId: data.payment_type_option?.id ?? '',
    termId: data.payment_type_option === null ? '' : (data.payment_type_option_term?.id ?? ''),
    regionId: data.payment_type_region?.id ?? '',
    requisiteId: data.payment_type_region === null ? '' : (data.payment_type_requisite?.id ?? ''),
  }
}

/** What is different today: choices that are gone, or the sum or the account of the recipient. */
type Change = 'choices' | 'price' | null

/** An earlier payment that is to be repeated. */
export interface RepeatedPayment {
  readonly valuesFor: (notary: NotaryAccount, locale: Locale) => PaymentValues
  readonly changed: Change
  /** The kind of the earlier payment, which the notary's status may have taken from the form. */
  readonly kind: PaymentKind
}

export async function loadRepeatedPayment(itemId: string): Promise<RepeatedPayment> {
  const repeat = await loadRepeat(itemId)
  return {
    valuesFor: (notary, locale) => valuesOfRepeat(repeat, notary, locale),
    changed: changeOf(repeat),
    kind: repeat.payment_data.payment_type.slug,
  }
}

/** What of a payment is different today. */
export function changeOf(payment: EarlierPayment): Change {
  return lostChoices(payment) ? 'choices' : payment.payment_data.changed ? 'price' : null
}

/** Whether a choice of the earlier payment is no longer offered. */
export function lostChoices({ order_item: item, payment_data: data }: EarlierPayment): boolean {
  return (
    data.payment_type.slug !== 'requisites_payment' &&
    ((item.payment_type_option !== null && data.payment_type_option === null) ||
      (item.payment_type_option_term !== null && data.payment_type_option_term === null) ||
      data.payment_type_region === null ||
      (item.payment_type_requisite !== null && data.payment_type_requisite === null))
  )
}
