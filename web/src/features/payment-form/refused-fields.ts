import type { PaymentKind } from '@/lib/commission'

import type { FieldName } from './values'

/** Those whose kind does not matter. */
const FIELDS: Readonly<Record<string, FieldName>> = {
  client: 'clientCode',
  'client.full_name': 'clientName',
  'client.inn': 'clientCode',
  payment_type_id: 'paymentTypeId',
  payment_type_option_id: 'optionId',
  payment_type_option_term_id: 'termId',
  filing_year: 'filingYear',
  payment_type_region_id: 'regionId',
  payment_type_requisite_id: 'requisiteId',
  recipient_name: 'recipientName',
  purpose: 'purpose',
  cbc_code: 'budgetCode',
  requisites_template: 'templateId',
}

/** The field of the form for a field of the request. Whose account `iban` and `okpo` are depends on the kind. */
export function fieldOf(wireName: string, kind: PaymentKind | null): FieldName | null {
  if (wireName === 'iban') return kind === 'admin_payment' ? 'ownIban' : 'iban'
  if (wireName === 'okpo') return kind === 'admin_payment' ? 'ownOkpo' : 'okpo'
  if (wireName === 'amount') return kind === 'requisites_payment' ? 'amount' : null
  return FIELDS[wireName] ?? null
}
