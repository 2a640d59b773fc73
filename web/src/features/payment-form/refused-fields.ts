import type { PaymentKind } from '@/lib/commission'

import type { FieldName } from './values'

/** The field of the form for a field of the request. Whose account `iban` and `okpo` are depends on the kind. */
export function fieldOf(wireName: string, kind: PaymentKind | null): FieldName | null {
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
