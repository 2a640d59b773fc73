import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

import type { MessageKey } from '@/api/failure'
import { i18n } from '@/i18n/i18n'
import { messageText } from '@/i18n/message-texts'
import type { PaymentKind } from '@/lib/commission'
import { ibanSlip } from '@/lib/iban-slip'
import type { SummaryError } from '@/ui/error-summary'

import type { ShownErrors } from './form-state'
import { FIELD_ORDER, type FieldName, type PaymentValues } from './values'

/** What the keys of the client's fields say where they are those of a legal entity: it has a name and one form of code. */
const legalEntityTexts: { readonly [Key in MessageKey]?: MessageDescriptor } = {
  client_full_name_required: msg`Введіть назву юридичної особи`,
  client_inn_required: msg`Введіть код ЄДРПОУ юридичної особи`,
  client_inn_format_invalid: msg`Код ЄДРПОУ юридичної особи складається з 8 цифр`,
}

/** Who gets the money of a kind of payment, and which kind to choose where two of them offer the same. */
export const kindHints: Readonly<Record<PaymentKind, MessageDescriptor>> = {
  admin_payment: msg`60 % зараховується на ваш рахунок, 40 % – отримувачу`,
  admin_government_payment: msg`Увесь збір зараховується до бюджету`,
  registry_payment: msg`Надходить адміністратору реєстрів. Для інформації, яку ви надаєте за заявою клієнта, виберіть адміністративний збір`,
  requisites_payment: msg`Будь-якому отримувачу за реквізитами, які ви введете`,
}

/** The id of a field's control: the links of the error summary lead there. */
export function fieldId(name: FieldName): string {
  return `payment-${name}`
}

/** The words of a field's error, or nothing. */
export function errorText(errors: ShownErrors, name: FieldName): string | undefined {
  const error = errors[name]
  return error === undefined ? undefined : messageText(error.key)
}

/** The same for an account; a slip of typing is named exactly. */
export function ibanErrorText(
  errors: ShownErrors,
  name: 'iban' | 'ownIban',
  values: PaymentValues,
): string | undefined {
  const slip = errors[name]?.key === 'iban_invalid' ? ibanSlip(values[name]) : null
  return slip ?? errorText(errors, name)
}

/** The same for a field of the client. */
export function clientErrorText(
  errors: ShownErrors,
  name: 'clientName' | 'clientCode',
  { legalEntity }: Pick<PaymentValues, 'legalEntity'>,
): string | undefined {
  const key = errors[name]?.key
  const text = legalEntity && key !== undefined ? legalEntityTexts[key] : undefined
  return text === undefined ? errorText(errors, name) : i18n._(text)
}

/** All shown errors in the order of the page. */
export function summaryOf(errors: ShownErrors, values: PaymentValues): readonly SummaryError[] {
  return FIELD_ORDER.flatMap((name) => {
    const message = textOf(errors, name, values)
    return message === undefined ? [] : [{ fieldId: fieldId(name), message }]
  })
}

function textOf(errors: ShownErrors, name: FieldName, values: PaymentValues): string | undefined {
  if (name === 'clientName' || name === 'clientCode') return clientErrorText(errors, name, values)
  if (name === 'iban' || name === 'ownIban') return ibanErrorText(errors, name, values)
  return errorText(errors, name)
}
