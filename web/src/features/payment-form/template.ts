import type { RequisitesTemplate } from '@/api/payment-types'
import { editableMoney, fromHryvnias, parseMoney } from '@/lib/money'
import { groupIban } from '@/lib/iban'
import type { Locale } from '@/lib/locale'

import { compact, plainLine } from '@/lib/text'

import type { PaymentClient, PaymentValues } from './values'

/** What stands in a purpose for a client who is not typed yet. A purpose is in Ukrainian in both languages of the page. */
const NAME_MISSING = '[ім’я клієнта]'
const CODE_MISSING = '[код клієнта]'

/**
 * The template's purpose for this client: {clientName} and {clientIPN} are replaced (specification,
 * point 3). While the client is not typed yet, words in brackets stand in their place, so that nothing is paid with a
 * hole in its purpose unseen.
 */
export function fillComment(
  comment: string,
  client: { readonly name: string; readonly code: string },
): string {
  const name = plainLine(client.name)
  const code = compact(client.code)
  return comment
    .replaceAll('{clientName}', name === '' ? NAME_MISSING : name)
    .replaceAll('{clientIPN}', code === '' ? CODE_MISSING : code)
}

function clientOf(values: PaymentValues) {
  return { name: values.clientName, code: values.clientCode }
}

/** What a template fills in. */
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

/** Whether a field reads as it was filled in; a sum may be written in another way. */
function isAsFilledIn(name: keyof FilledIn, text: string, filled: FilledIn): boolean {
  if (text === filled[name] || name !== 'amount') return text === filled[name]
  const [sum, own] = [parseMoney(text), parseMoney(filled.amount)]
  return sum.ok && own.ok && sum.value === own.value
}

/**
 * The form filled from a template in the place of another one. An amount that the template leaves open stays as it was typed; the
 * sum of the template before goes with it.
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

/** Whether something typed is lost from one state of the form to the next: more than what the template before had filled in. */
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

/**
 * Another client, or more of the same one's name: a purpose that still reads as the template made it follows, and
 * one that was edited by hand is left alone.
 */
export function withClient(
  values: PaymentValues,
  client: Partial<PaymentClient>,
  template: RequisitesTemplate | undefined,
): PaymentValues {
  const next = { ...values, ...client }
  const untouched =
    template !== undefined && values.purpose === fillComment(template.comment, clientOf(values))
  return { ...next, purpose: untouched ? fillComment(template.comment, clientOf(next)) : values.purpose }
}
