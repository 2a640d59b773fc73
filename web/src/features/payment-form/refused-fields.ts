import type { MessageKey } from '@/api/failure'
import type { PaymentKind } from '@/lib/commission'

import type { FieldName } from './values'

/** Which field of the form a field of the wire is; an account's field depends on whose account it is. */
function fieldOf(wireName: string, kind: PaymentKind): FieldName | null {
  switch (wireName) {
    case 'client.full_name':
      return 'clientName'
    case 'client':
    case 'client.inn':
      return 'clientCode'
    case 'payment_type_id':
      return 'paymentTypeId'
    case 'payment_type_option_id':
      return 'optionId'
    case 'payment_type_option_term_id':
      return 'termId'
    case 'payment_type_region_id':
      return 'regionId'
    case 'payment_type_requisite_id':
      return 'requisiteId'
    case 'iban':
      return kind === 'admin_payment' ? 'ownIban' : 'iban'
    case 'okpo':
      return kind === 'admin_payment' ? 'ownOkpo' : 'okpo'
    case 'recipient_name':
      return 'recipientName'
    case 'purpose':
      return 'purpose'
    case 'cbc_code':
      return 'budgetCode'
    case 'requisites_template':
      return 'templateId'
    case 'amount':
      return kind === 'requisites_payment' ? 'amount' : null
    default:
      return null
  }
}

export interface PlacedRefusal {
  /** The first key of each field that the form shows. */
  readonly fields: ReadonlyMap<FieldName, MessageKey>
  /** Keys that belong to no field on the screen: they are said at the button. */
  readonly rest: readonly MessageKey[]
}

/** Puts the keys of a refusal where the notary can act on them. */
export function placeRefusal(
  refusal: { readonly key: MessageKey; readonly errors: Readonly<Record<string, readonly MessageKey[]>> },
  kind: PaymentKind,
): PlacedRefusal {
  const fields = new Map<FieldName, MessageKey>()
  const rest: MessageKey[] = []
  for (const [wireName, [key]] of Object.entries(refusal.errors)) {
    if (key === undefined) continue
    const field = fieldOf(wireName, kind)
    if (field === null) rest.push(key)
    else fields.set(field, key)
  }
  if (fields.size === 0 && rest.length === 0) rest.push(refusal.key)
  return { fields, rest }
}
