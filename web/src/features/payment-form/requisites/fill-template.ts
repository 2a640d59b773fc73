import type { RequisitesTemplate } from '@/api/payment-types'
import { groupIban } from '@/lib/iban'
import type { Locale } from '@/lib/locale'
import { editableMoney, fromHryvnias } from '@/lib/money'
import { parseMoney } from '@/lib/money-typed'

import { clientOf, fillComment } from '../template'
import type { PaymentValues } from '../values'

/** The fields that a template fills in. */
type FilledIn = Pick<PaymentValues, (typeof FILLED_IN)[number]>

const FILLED_IN = ['recipientName', 'iban', 'okpo', 'budgetCode', 'purpose', 'amount'] as const

function filledBy(template: RequisitesTemplate, values: PaymentValues, locale: Locale): FilledIn {
  return {
    recipientName: template.recipient_name,
    iban: groupIban(template.recipient_iban),
    okpo: template.recipient_code,
    budgetCode: template.cbc_code ?? '',
    purpose: fillComment(template.comment, clientOf(values)),
    amount: template.amount === null ? '' : editableMoney(fromHryvnias(template.amount), locale),
  }
}

/** Whether a field still holds what was filled in. Sums are compared by value. */
function isAsFilledIn(name: keyof FilledIn, text: string, filled: FilledIn): boolean {
  if (text === filled[name] || name !== 'amount') return text === filled[name]
  const [sum, own] = [parseMoney(text), parseMoney(filled.amount)]
  return sum.ok && own.ok && sum.value === own.value
}

/**
 * The form filled from a template, in place of `before`. Where the template has no amount a typed one stays, and one that `before`
 * filled in is removed.
 */
export function withTemplate(
  values: PaymentValues,
  template: RequisitesTemplate,
  locale: Locale,
  before?: RequisitesTemplate,
): PaymentValues {
  const filled = filledBy(template, values, locale)
  const isOldSum =
    before !== undefined && isAsFilledIn('amount', values.amount, filledBy(before, values, locale))
  const amount = template.amount !== null || isOldSum ? filled.amount : values.amount
  return { ...values, ...filled, amount, templateId: template.id }
}

/** Whether `next` loses something that was typed, and not filled in by the template `before`. */
export function losesTyped(
  values: PaymentValues,
  next: PaymentValues,
  locale: Locale,
  before?: RequisitesTemplate,
): boolean {
  const filled = before === undefined ? null : filledBy(before, values, locale)
  return FILLED_IN.some((name) => {
    const text = values[name]
    if (text === '' || isAsFilledIn(name, text, next)) return false
    return filled === null || !isAsFilledIn(name, text, filled)
  })
}
