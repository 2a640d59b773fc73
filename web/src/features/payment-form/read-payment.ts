import type { AddToCartRequest } from '@/api/cart'
import type { MessageKey } from '@/api/failure'
import type { RequisitesTemplates } from '@/api/payment-types'
import { errorsOf, readFields, type FieldErrors } from '@/forms/read-fields'
import { parseClientCode } from '@/lib/client-code'
import type { PaymentKind } from '@/lib/commission'
import { parsePersonName } from '@/lib/line'
import { toHryvnias, type Kopiykas } from '@/lib/money'
import { readOwnAccount, type NotaryCodes } from '@/lib/own-account'
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
  /** The notary's own codes. A purpose may name her own in place of the client's. */
  readonly notary: NotaryCodes
  /** Templates and payment codes; null while they are not loaded, and the server checks alone. */
  readonly requisites: RequisitesTemplates | null
  /** Reads the fields of a payment to any requisites; null while they are not loaded, and so not shown. */
  readonly readTypedRecipient: ReadTypedRecipient | null
  /** Null where the screen shows no price. */
  readonly price: ShownPrice | null
}

export type ReadTypedRecipient = (
  values: PaymentValues,
  context: Pick<PaymentContext, 'notary' | 'requisites'>,
) => Part

/** The body of `POST /cart/add`, with the fields that every payment has. */
export interface PaymentRequest extends AddToCartRequest {
  client: { inn: string; full_name: string; name_as_typed?: boolean }
  payment_type_id: string
  amount?: number
  sum?: number
}

/** The part of the body that the fields of a kind make. */
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
  context: PaymentContext,
): Result<PaymentRequest, FieldErrors<FieldName>> {
  const client = readFields({
    clientName: parsePersonName(values.clientName, 'client_full_name_required'),
    clientCode: parseClientCode(values.clientCode, { legalEntity: values.legalEntity }),
  })
  const payment = readKind(values, context)
  const { price } = context
  if (!client.ok || !payment.ok) return err({ ...errorsOf(client), ...errorsOf(payment) })
  return ok({
    client: {
      inn: client.value.clientCode.code,
      full_name: client.value.clientName,
      ...(values.nameAsTyped !== '' && values.nameAsTyped === values.clientName && { name_as_typed: true }),
    },
    payment_type_id: values.paymentTypeId,
    ...(price !== null && { amount: toHryvnias(price.amount), sum: toHryvnias(price.sum) }),
    ...payment.value,
  })
}

function readKind(values: PaymentValues, context: PaymentContext): Part {
  const { kind, notary } = context
  if (kind === null) return err({ paymentTypeId: 'payment_type_required' })
  if (!hasListedRecipient(kind)) return context.readTypedRecipient?.(values, context) ?? err({})
  const recipient = readListedRecipient(values, kind)
  const account: Part = kind === 'admin_payment' ? readOwn(values, notary) : ok({})
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
    ...(values.filingYear !== '' && { filing_year: Number(values.filingYear) }),
  })
}

function readOwn(values: PaymentValues, notary: NotaryCodes): Part {
  const { iban, okpo } = readOwnAccount(values.ownIban, values.ownOkpo, notary)
  const read = readFields({ ownOkpo: okpo, ownIban: iban })
  return read.ok ? ok({ iban: read.value.ownIban, okpo: read.value.ownOkpo }) : read
}
