import type { RequisitesTemplate } from '@/api/payment-types'
import { editableMoney, fromHryvnias } from '@/lib/money'
import { groupIban } from '@/lib/iban'
import type { Locale } from '@/lib/locale'

import { compact, plainLine } from '@/lib/text'

import type { PaymentClient, PaymentValues } from './values'

/**
 * The template's purpose for this client: {clientName} and {clientIPN} are replaced (specification,
 * point 3). While the client is not typed yet the placeholders stay, so that nothing is paid with a
 * hole in its purpose unseen.
 */
export function fillComment(
  comment: string,
  client: { readonly name: string; readonly code: string },
): string {
  const name = plainLine(client.name)
  const code = compact(client.code)
  return comment
    .replaceAll('{clientName}', name === '' ? '{clientName}' : name)
    .replaceAll('{clientIPN}', code === '' ? '{clientIPN}' : code)
}

function clientOf(values: PaymentValues) {
  return { name: values.clientName, code: values.clientCode }
}

/** The form filled from a template; an amount the template leaves open stays as it was typed. */
export function withTemplate(
  values: PaymentValues,
  template: RequisitesTemplate,
  locale: Locale,
): PaymentValues {
  return {
    ...values,
    templateId: template.id,
    recipientName: template.recipient_name,
    iban: groupIban(template.recipient_iban),
    okpo: template.recipient_code,
    budgetCode: template.cbc_code ?? '',
    purpose: fillComment(template.comment, clientOf(values)),
    amount: template.amount === null ? values.amount : editableMoney(fromHryvnias(template.amount), locale),
  }
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
