import type { AddToCartRequest } from '@/api/cart'
import { parseClientCode } from '@/lib/client-code'
import type { PaymentKind } from '@/lib/commission'
import { isBudgetAccount, normaliseIban } from '@/lib/iban'
import { compact, plainLine } from '@/lib/text'
import { toHryvnias, type Kopiykas } from '@/lib/money'

import { hasListedRecipient, hasTerms, type PaymentValues } from './values'

/** The figures that stood on the screen; the server refuses the item where its own differ. */
export interface ShownPrice {
  readonly amount: Kopiykas
  readonly sum: Kopiykas
}

/** The client as the payment names her. */
export function clientOf(values: PaymentValues): { readonly inn: string; readonly full_name: string } {
  const read = parseClientCode(values.clientCode)
  return { inn: read.ok ? read.value.code : values.clientCode, full_name: plainLine(values.clientName) }
}

/** The body of `POST /cart/add`: only what belongs to the kind, in the form the server stores. */
export function cartAddRequest(
  kind: PaymentKind,
  values: PaymentValues,
  price: ShownPrice | null,
): AddToCartRequest {
  const shared: AddToCartRequest = {
    client: clientOf(values),
    payment_type_id: values.paymentTypeId,
    ...(price !== null && { amount: toHryvnias(price.amount), sum: toHryvnias(price.sum) }),
  }
  if (hasListedRecipient(kind)) {
    return {
      ...shared,
      payment_type_option_id: values.optionId,
      payment_type_region_id: values.regionId,
      payment_type_requisite_id: values.requisiteId,
      ...(hasTerms(kind) && { payment_type_option_term_id: values.termId }),
      ...(kind === 'admin_payment' && { iban: normaliseIban(values.ownIban), okpo: compact(values.ownOkpo) }),
    }
  }
  const iban = normaliseIban(values.iban)
  return {
    ...shared,
    recipient_name: plainLine(values.recipientName),
    iban,
    okpo: compact(values.okpo),
    purpose: plainLine(values.purpose),
    ...(values.templateId !== '' && { requisites_template: values.templateId }),
    ...(isBudgetAccount(iban) && { cbc_code: compact(values.budgetCode) }),
  }
}
