import type { QueryClient } from '@tanstack/react-query'

import { ownRecipientsQuery, type OwnRecipient } from '@/api/address-book'
import type { RequisitesTemplate } from '@/api/payment-types'

const PREFIX = 'own:'

/** The id of a saved recipient that a template stands for; null for a template of the operator. */
export function idOfOwn(templateId: string): string | null {
  return templateId.startsWith(PREFIX) ? templateId.slice(PREFIX.length) : null
}

/** A saved recipient as a template of the form. */
export function asTemplate(recipient: OwnRecipient): RequisitesTemplate {
  return {
    id: `${PREFIX}${recipient.id}`,
    title: recipient.title,
    amount: null,
    recipient_name: recipient.recipient_name,
    recipient_iban: recipient.iban,
    recipient_code: recipient.okpo,
    comment: recipient.purpose ?? '',
    cbc_code: recipient.cbc_code,
    account_cbc_codes: [],
  }
}

/** The saved recipients, which are offered before the operator's templates. */
export async function ownTemplates(client: QueryClient): Promise<readonly RequisitesTemplate[]> {
  return (await client.fetchQuery(ownRecipientsQuery())).map(asTemplate)
}
