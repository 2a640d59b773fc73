import type { PaymentKind } from '@/lib/commission'

/** Everything the form holds, as typed: text stays text until the request is built. */
export interface PaymentValues {
  readonly clientName: string
  readonly clientCode: string
  /** A switch of the form alone: it renames the client's fields and asks for an EDRPOU. */
  readonly legalEntity: boolean
  readonly paymentTypeId: string
  readonly optionId: string
  readonly termId: string
  readonly regionId: string
  readonly requisiteId: string
  readonly ownIban: string
  readonly ownOkpo: string
  readonly templateId: string
  readonly recipientName: string
  readonly iban: string
  readonly okpo: string
  readonly budgetCode: string
  readonly purpose: string
  readonly amount: string
}

export type FieldName = keyof PaymentValues

export const EMPTY_PAYMENT: PaymentValues = {
  clientName: '',
  clientCode: '',
  legalEntity: false,
  paymentTypeId: '',
  optionId: '',
  termId: '',
  regionId: '',
  requisiteId: '',
  ownIban: '',
  ownOkpo: '',
  templateId: '',
  recipientName: '',
  iban: '',
  okpo: '',
  budgetCode: '',
  purpose: '',
  amount: '',
}

/** The fields in the order of the page: the error summary and the focus follow it. */
export const FIELD_ORDER: readonly FieldName[] = [
  'clientName',
  'clientCode',
  'legalEntity',
  'paymentTypeId',
  'optionId',
  'termId',
  'regionId',
  'requisiteId',
  'ownOkpo',
  'ownIban',
  'templateId',
  'recipientName',
  'okpo',
  'iban',
  'budgetCode',
  'purpose',
  'amount',
]

/** Whether the form still holds what it held. */
export function isSame(one: PaymentValues, other: PaymentValues): boolean {
  return FIELD_ORDER.every((name) => one[name] === other[name])
}

/** Whether the kind is paid for a fee with a term: the amount is then the term's. */
export function hasTerms(kind: PaymentKind): boolean {
  return kind === 'admin_payment' || kind === 'admin_government_payment'
}

/** Whether the recipient is chosen from the lists of the reference data and not typed. */
export function hasListedRecipient(kind: PaymentKind): boolean {
  return kind !== 'requisites_payment'
}

/** What stays when the kind of payment changes: the client, and nothing that hangs on the kind. */
export function withPaymentType(values: PaymentValues, paymentTypeId: string): PaymentValues {
  return { ...values, paymentTypeId, optionId: '', termId: '', regionId: '', requisiteId: '' }
}

/** Another option has other terms, and with them its recipients may be others too. */
export function withOption(values: PaymentValues, optionId: string, kind: PaymentKind): PaymentValues {
  return { ...values, optionId, termId: '', ...(hasTerms(kind) && { requisiteId: '' }) }
}

/** A term may ask for recipients of its own budget code. */
export function withTerm(values: PaymentValues, termId: string): PaymentValues {
  return { ...values, termId, requisiteId: '' }
}

export function withRegion(values: PaymentValues, regionId: string): PaymentValues {
  return { ...values, regionId, requisiteId: '' }
}

/** For whom is paid, as typed. */
export type PaymentClient = Pick<PaymentValues, 'clientName' | 'clientCode'>

export type OwnAccount = Pick<PaymentValues, 'ownIban' | 'ownOkpo'>

export const NO_ACCOUNT: OwnAccount = { ownIban: '', ownOkpo: '' }

/** Of the notary's own account what was only filled in gives way; what was typed otherwise stays. */
export function withFilledAccount(
  values: PaymentValues,
  filledIn: OwnAccount,
  { ownIban, ownOkpo }: OwnAccount,
): PaymentValues {
  return {
    ...values,
    ...(values.ownIban === filledIn.ownIban && { ownIban }),
    ...(values.ownOkpo === filledIn.ownOkpo && { ownOkpo }),
  }
}

/** Whether anything worth keeping was typed: a preselected kind and the notary's own account are not. */
export function isWorthKeeping(values: PaymentValues): boolean {
  const { paymentTypeId: _kind, ownIban: _iban, ownOkpo: _okpo, ...typed } = values
  return Object.values(typed).some((value) => value !== '' && value !== false)
}
