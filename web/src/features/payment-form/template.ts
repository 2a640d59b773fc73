import type { RequisitesTemplate } from '@/api/payment-types'
import { compact, plainLine } from '@/lib/text'

import type { ClientFields, PaymentValues } from './values'

/** The text for a client who is not typed yet. A purpose is in Ukrainian in both languages of the page. */
const NAME_MISSING = '[ім’я клієнта]'
const CODE_MISSING = '[код клієнта]'

/**
 * The template's purpose with {clientName} and {clientIPN} replaced (specification, point 3). An empty value is replaced by a
 * placeholder in brackets, so that the gap is visible.
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

export function clientOf(values: PaymentValues) {
  return { name: values.clientName, code: values.clientCode }
}

/**
 * Changes the client. A purpose that is still as the template filled it follows; one that was edited stays.
 */
export function withClient(
  values: PaymentValues,
  client: Partial<ClientFields>,
  template: RequisitesTemplate | undefined,
): PaymentValues {
  const next = { ...values, ...client }
  const untouched =
    template !== undefined && values.purpose === fillComment(template.comment, clientOf(values))
  return { ...next, purpose: untouched ? fillComment(template.comment, clientOf(next)) : values.purpose }
}
