import type { FormFields } from '@/forms/use-form'
import { isLegalEntityCode } from '@/lib/client-code'
import type { PaymentKind } from '@/lib/commission'

/** Everything the form holds, as typed, in the order of the page. */
export interface PaymentValues {
  readonly clientCode: string
  readonly clientName: string
  /** Renames the client's fields and requires an EDRPOU code. It is not sent. */
  readonly legalEntity: boolean
  /** The name that the notary insists on, or that is stored so already; empty where there is none. */
  readonly nameAsTyped: string
  /** The client whom the notary keeps beside the known ones of the same code. It is not sent. */
  readonly keptApart: string
  readonly paymentTypeId: string
  readonly optionId: string
  readonly termId: string
  /** The next year, where the fee of that year is paid; empty for this year. */
  readonly filingYear: string
  readonly regionId: string
  readonly requisiteId: string
  readonly ownOkpo: string
  readonly ownIban: string
  readonly templateId: string
  readonly recipientName: string
  readonly okpo: string
  readonly iban: string
  readonly budgetCode: string
  readonly purpose: string
  readonly amount: string
}

export type FieldName = keyof PaymentValues

export type PaymentFields = FormFields<PaymentValues>

/** The order of the keys is that of the fields on the page. */
export const EMPTY_PAYMENT: PaymentValues = {
  clientCode: '',
  clientName: '',
  legalEntity: false,
  nameAsTyped: '',
  keptApart: '',
  paymentTypeId: '',
  optionId: '',
  termId: '',
  filingYear: '',
  regionId: '',
  requisiteId: '',
  ownOkpo: '',
  ownIban: '',
  templateId: '',
  recipientName: '',
  okpo: '',
  iban: '',
  budgetCode: '',
  purpose: '',
  amount: '',
}

const FIELDS = Object.keys(EMPTY_PAYMENT) as FieldName[]

/** Whether all fields are equal. */
export function isSame(one: PaymentValues, other: PaymentValues): boolean {
  return FIELDS.every((name) => one[name] === other[name])
}

/** Whether the kind is a fee with a term, which sets the amount. */
export function hasTerms(kind: PaymentKind): boolean {
  return kind === 'admin_payment' || kind === 'admin_government_payment'
}

/** Whether the recipient is chosen from the reference data and not typed. */
export function hasListedRecipient(kind: PaymentKind): boolean {
  return kind !== 'requisites_payment'
}

/** Changes the kind and clears the choices that depend on it. */
export function withPaymentType(values: PaymentValues, paymentTypeId: string): PaymentValues {
  return { ...values, paymentTypeId, optionId: '', termId: '', filingYear: '', regionId: '', requisiteId: '' }
}

/** Changes the option and clears the year, the term and the recipient that depend on it. */
export function withOption(values: PaymentValues, optionId: string, kind: PaymentKind): PaymentValues {
  return { ...values, optionId, termId: '', filingYear: '', ...(hasTerms(kind) && { requisiteId: '' }) }
}

/** Changes the term and clears the year and the recipient, whose budget code may depend on it. */
export function withTerm(values: PaymentValues, termId: string): PaymentValues {
  return { ...values, termId, filingYear: '', requisiteId: '' }
}

export function withRegion(values: PaymentValues, regionId: string): PaymentValues {
  return { ...values, regionId, requisiteId: '' }
}

/** The client, as typed. */
export type PaymentClient = Pick<PaymentValues, 'clientName' | 'clientCode'>

export type ClientFields = PaymentClient & Pick<PaymentValues, 'legalEntity' | 'nameAsTyped' | 'keptApart'>

export type OwnAccount = Pick<PaymentValues, 'ownIban' | 'ownOkpo'>

export const NO_ACCOUNT: OwnAccount = { ownIban: '', ownOkpo: '' }

/** Replaces the notary's own account where it is as it was filled in. What was typed stays. */
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

/** Whether anything was typed besides the kind and the notary's own account. */
export function isWorthKeeping(values: PaymentValues): boolean {
  const { paymentTypeId: _kind, ownIban: _iban, ownOkpo: _okpo, ...typed } = values
  return Object.values(typed).some((value) => value !== '' && value !== false)
}

/** The values of a known client's fields. */
export function valuesOfClient({
  full_name,
  inn,
}: {
  readonly full_name: string
  readonly inn: string
}): ClientFields {
  return {
    clientName: full_name,
    clientCode: inn,
    legalEntity: isLegalEntityCode(inn),
    nameAsTyped: full_name,
    keptApart: '',
  }
}
