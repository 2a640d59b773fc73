import type { AddToCartRequest } from '@/api/cart'
import type { MessageKey } from '@/api/failure'
import { errorsOf, readFields, type FieldErrors } from '@/forms/read-fields'
import { parseBudgetCode } from '@/lib/budget-code'
import { parseClientCode } from '@/lib/client-code'
import type { PaymentKind } from '@/lib/commission'
import { breaksBalanceCodeRule, isBudgetAccount, normaliseIban, parseIban } from '@/lib/iban'
import { parseLine, parsePersonName } from '@/lib/line'
import { parseMoney, toHryvnias, type Kopiykas } from '@/lib/money'
import { parseOkpo } from '@/lib/okpo'
import { namesPaymentCard } from '@/lib/payment-card'
import { parsePurpose } from '@/lib/purpose'
import { err, ok, type Result } from '@/lib/result'

import { hasListedRecipient, hasTerms, type FieldName, type PaymentValues } from './values'

/** The price on the screen. The server refuses the payment where its own price differs. */
export interface ShownPrice {
  readonly amount: Kopiykas
  readonly sum: Kopiykas
}

export interface PaymentContext {
  /** The kind of the chosen payment type, null while none is chosen. */
  readonly kind: PaymentKind | null
  /** The notary's own code, which a purpose may name in place of the client's. */
  readonly notaryCode: string
  /** Null where the screen shows no price. */
  readonly price: ShownPrice | null
}

/** The body of `POST /cart/add`, with the fields that every payment has. */
export interface PaymentRequest extends AddToCartRequest {
  client: { inn: string; full_name: string }
  payment_type_id: string
  amount?: number
  sum?: number
}

type Part = Result<
  Omit<AddToCartRequest, 'client' | 'payment_type_id' | 'amount' | 'sum'>,
  FieldErrors<FieldName>
>

/**
 * Parses the values into the body of `POST /cart/add`, or returns the errors of all wrong fields (specification, point 5). Fields
 * of other kinds are ignored.
 */
export function readPayment(
  values: PaymentValues,
  { kind, notaryCode, price }: PaymentContext,
): Result<PaymentRequest, FieldErrors<FieldName>> {
  const client = readFields({
    clientName: parsePersonName(values.clientName, 'client_full_name_required'),
    clientCode: parseClientCode(values.clientCode, { legalEntity: values.legalEntity }),
  })
  const payment = readKind(values, kind, notaryCode)
  if (!client.ok || !payment.ok) return err({ ...errorsOf(client), ...errorsOf(payment) })
  return ok({
    client: { inn: client.value.clientCode.code, full_name: client.value.clientName },
    payment_type_id: values.paymentTypeId,
    ...(price !== null && { amount: toHryvnias(price.amount), sum: toHryvnias(price.sum) }),
    ...payment.value,
  })
}

function readKind(values: PaymentValues, kind: PaymentKind | null, notaryCode: string): Part {
  if (kind === null) return err({ paymentTypeId: 'payment_type_required' })
  if (!hasListedRecipient(kind)) return readTypedRecipient(values, notaryCode)
  const recipient = readListedRecipient(values, kind)
  const account: Part = kind === 'admin_payment' ? readOwnAccount(values) : ok({})
  return recipient.ok && account.ok
    ? ok({ ...recipient.value, ...account.value })
    : err({ ...errorsOf(recipient), ...errorsOf(account) })
}

function parseChoice<Key extends MessageKey>(id: string, required: Key): Result<string, Key> {
  return id === '' ? err(required) : ok(id)
}

function readListedRecipient(values: PaymentValues, kind: PaymentKind): Part {
  const read = readFields({
    optionId: parseChoice(values.optionId, 'payment_type_option_required'),
    termId: hasTerms(kind) ? parseChoice(values.termId, 'payment_type_option_term_required') : ok(null),
    regionId: parseChoice(values.regionId, 'payment_type_region_required'),
    requisiteId: parseChoice(values.requisiteId, 'payment_type_requisite_required'),
  })
  if (!read.ok) return read
  const { optionId, termId, regionId, requisiteId } = read.value
  return ok({
    payment_type_option_id: optionId,
    payment_type_region_id: regionId,
    payment_type_requisite_id: requisiteId,
    ...(termId !== null && { payment_type_option_term_id: termId }),
  })
}

/** Replaces the key of an empty field by one that names the notary. */
function ofNotary<Value>(
  read: Result<Value, MessageKey>,
  required: MessageKey,
  requiredOfNotary: MessageKey,
): Result<Value, MessageKey> {
  return read.ok || read.error !== required ? read : err(requiredOfNotary)
}

function readOwnAccount(values: PaymentValues): Part {
  const okpo = parseOkpo(values.ownOkpo)
  const iban = parseIban(values.ownIban)
  const isPersonal = iban.ok && okpo.ok && breaksBalanceCodeRule(iban.value, okpo.value)
  const read = readFields({
    ownOkpo: ofNotary(okpo, 'okpo_required', 'your_okpo_required'),
    ownIban: isPersonal
      ? err('iban_balance_code_by_okpo_rule')
      : ofNotary(iban, 'iban_required', 'your_iban_required'),
  })
  return read.ok ? ok({ iban: read.value.ownIban, okpo: read.value.ownOkpo }) : read
}

/** The codes of which a purpose must contain one. */
export function payerCodes(values: PaymentValues, notaryCode: string): readonly string[] {
  const client = parseClientCode(values.clientCode)
  return [client.ok ? client.value.code : '', notaryCode].filter((code) => code !== '')
}

function readTypedRecipient(values: PaymentValues, notaryCode: string): Part {
  const account = normaliseIban(values.iban)
  const read = readFields({
    recipientName: parseLine(values.recipientName, 'recipient_name_required'),
    okpo: parseOkpo(values.okpo),
    iban: parseIban(values.iban),
    budgetCode: isBudgetAccount(account) ? parseBudgetCode(values.budgetCode) : ok(null),
    purpose: namesPaymentCard(values.purpose)
      ? err('card_number_not_accepted')
      : parsePurpose({
          purpose: values.purpose,
          iban: account,
          payerCodes: payerCodes(values, notaryCode),
        }),
    // Checked here, sent with the price.
    amount: parseMoney(values.amount),
  })
  if (!read.ok) return read
  const { recipientName, okpo, iban, budgetCode, purpose } = read.value
  return ok({
    recipient_name: recipientName,
    iban,
    okpo,
    purpose,
    ...(values.templateId !== '' && { requisites_template: values.templateId }),
    ...(budgetCode !== null && { cbc_code: budgetCode }),
  })
}
