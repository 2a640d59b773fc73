import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

import type { MessageKey } from '@/api/failure'
import { i18n } from '@/i18n/i18n'
import type { PaymentKind } from '@/lib/commission'

import { lateRules } from './later-parts'
import type { FieldName, PaymentValues } from './values'

/** The texts of the client's fields where the client is a legal entity. */
const legalEntityTexts: { readonly [Key in MessageKey]?: MessageDescriptor } = {
  client_full_name_required: msg`Введіть назву юридичної особи`,
  client_inn_required: msg`Введіть код ЄДРПОУ юридичної особи`,
  client_inn_format_invalid: msg`Код ЄДРПОУ юридичної особи складається з 8 цифр`,
}

/**
 * Who gets the money of a kind of payment, and which kind to choose where two of them offer the same. What is paid to any requisites
 * stands at that kind itself.
 */
export const kindHints: { readonly [Kind in PaymentKind]?: MessageDescriptor } = {
  admin_payment: msg`60 % зараховується на ваш рахунок, 40 % – до бюджету`,
  admin_government_payment: msg`Увесь збір зараховується до бюджету`,
  registry_payment: msg`Надходить адміністратору реєстрів. Для інформації, яку надаєте ви, виберіть адміністративний збір`,
}

/** A field's own text of an error; null where the text of the key is enough. */
export function errorText(key: MessageKey, name: FieldName, values: PaymentValues): string | null {
  if (name === 'iban' || name === 'ownIban')
    return key === 'iban_invalid' ? (lateRules()?.ibanSlip(values[name]) ?? null) : null
  const isOfClient = name === 'clientName' || name === 'clientCode'
  const text = values.legalEntity && isOfClient ? legalEntityTexts[key] : undefined
  return text === undefined ? null : i18n._(text)
}
