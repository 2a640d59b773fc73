import { parseBudgetCode } from '@/lib/budget-code'
import { parseClientCode } from '@/lib/client-code'
import type { PaymentKind } from '@/lib/commission'
import { breaksBalanceCodeRule, isBudgetAccount, normaliseIban, parseIban } from '@/lib/iban'
import { parseMoney } from '@/lib/money'
import { parseOkpo } from '@/lib/okpo'
import { namesPaymentCard } from '@/lib/payment-card'
import { parsePurpose } from '@/lib/purpose'
import type { Read } from '@/lib/result'

import { hasListedRecipient, hasTerms, type FieldName, type PaymentValues } from './values'

/** The message keys that the form's own rules use (specification, point 5). */
export type RuleKey =
  | 'client_full_name_required'
  | 'client_inn_required'
  | 'client_inn_format_invalid'
  | 'client_inn_same_digits'
  | 'payment_type_required'
  | 'payment_type_option_required'
  | 'payment_type_option_term_required'
  | 'payment_type_region_required'
  | 'payment_type_requisite_required'
  | 'your_iban_required'
  | 'your_okpo_required'
  | 'iban_balance_code_by_okpo_rule'
  | 'iban_required'
  | 'iban_invalid'
  | 'okpo_required'
  | 'okpo_invalid'
  | 'recipient_name_required'
  | 'cbc_length'
  | 'text_invalid'
  | 'card_number_not_accepted'
  | 'purpose_required'
  | 'purpose_max_height'
  | 'purpose_invalid'
  | 'purpose_must_contains_ipn'
  | 'amount_required'
  | 'amount_invalid'

export type FieldErrors = { [Name in FieldName]?: RuleKey }

export interface RuleContext {
  /** The kind of the chosen payment type, null while none is chosen. */
  readonly kind: PaymentKind | null
  /** The notary's own code: it may stand in a purpose in place of the client's. */
  readonly notaryCode: string
}

function keyOf<Key extends string>(read: Read<unknown, Key>): Key | null {
  return read.ok ? null : read.error
}

/** A full card number is accepted nowhere, and does not even leave the browser. */
function cardIn(text: string): 'card_number_not_accepted' | null {
  return namesPaymentCard(text) ? 'card_number_not_accepted' : null
}

function ownAccountErrors(values: PaymentValues): FieldErrors {
  const errors: FieldErrors = {}
  const okpo = parseOkpo(values.ownOkpo)
  if (!okpo.ok) {
    errors.ownOkpo = okpo.error === 'okpo_required' ? 'your_okpo_required' : okpo.error
  }
  const iban = parseIban(values.ownIban)
  if (!iban.ok) {
    errors.ownIban = iban.error === 'iban_required' ? 'your_iban_required' : iban.error
  } else if (okpo.ok && breaksBalanceCodeRule(iban.value, okpo.value)) {
    errors.ownIban = 'iban_balance_code_by_okpo_rule'
  }
  return errors
}

function listedRecipientErrors(values: PaymentValues, kind: PaymentKind): FieldErrors {
  const errors: FieldErrors = {}
  if (values.optionId === '') {
    errors.optionId = 'payment_type_option_required'
  }
  if (hasTerms(kind) && values.termId === '') {
    errors.termId = 'payment_type_option_term_required'
  }
  if (values.regionId === '') {
    errors.regionId = 'payment_type_region_required'
  }
  if (values.requisiteId === '') {
    errors.requisiteId = 'payment_type_requisite_required'
  }
  return errors
}

/** The codes that a purpose may name its payer by. */
export function payerCodes(values: PaymentValues, notaryCode: string): readonly string[] {
  const client = parseClientCode(values.clientCode)
  return [client.ok ? client.value.code : '', notaryCode].filter((code) => code !== '')
}

function typedRecipientErrors(values: PaymentValues, notaryCode: string): FieldErrors {
  const errors: FieldErrors = {}
  const put = (name: FieldName, key: RuleKey | null) => {
    if (key !== null) {
      errors[name] = key
    }
  }
  put(
    'recipientName',
    values.recipientName.trim() === '' ? 'recipient_name_required' : cardIn(values.recipientName),
  )
  put('okpo', keyOf(parseOkpo(values.okpo)))
  put('iban', keyOf(parseIban(values.iban)))
  const iban = normaliseIban(values.iban)
  if (isBudgetAccount(iban)) {
    put('budgetCode', keyOf(parseBudgetCode(values.budgetCode)))
  }
  put(
    'purpose',
    cardIn(values.purpose) ??
      keyOf(parsePurpose({ purpose: values.purpose, iban, payerCodes: payerCodes(values, notaryCode) })),
  )
  put('amount', keyOf(parseMoney(values.amount)))
  return errors
}

/** Every rule of the form at once: the broken fields, each with the key of its message. */
export function paymentErrors(values: PaymentValues, { kind, notaryCode }: RuleContext): FieldErrors {
  const errors: FieldErrors = {}
  if (values.clientName.trim() === '') {
    errors.clientName = 'client_full_name_required'
  } else if (namesPaymentCard(values.clientName)) {
    errors.clientName = 'card_number_not_accepted'
  }
  const code = keyOf(parseClientCode(values.clientCode, { legalEntity: values.legalEntity }))
  if (code !== null) {
    errors.clientCode = code
  }
  if (kind === null) {
    errors.paymentTypeId = 'payment_type_required'
    return errors
  }
  return {
    ...errors,
    ...(kind === 'admin_payment' ? ownAccountErrors(values) : {}),
    ...(hasListedRecipient(kind)
      ? listedRecipientErrors(values, kind)
      : typedRecipientErrors(values, notaryCode)),
  }
}
