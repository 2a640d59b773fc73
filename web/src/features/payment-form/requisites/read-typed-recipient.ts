import type { MessageKey } from '@/api/failure'
import { readFields } from '@/forms/read-fields'
import { parseBudgetCode } from '@/lib/budget-code'
import { parseClientCode } from '@/lib/client-code'
import { isBudgetAccount, normaliseIban, parseIban } from '@/lib/iban'
import { parseLine } from '@/lib/line'
import { parseMoney } from '@/lib/money-typed'
import { parseRecipientCode, takesBudgetCode } from '@/lib/pairs'
import { parsePurpose } from '@/lib/purpose'
import { err, ok, type Result } from '@/lib/result'

import { idOfOwn } from '../own-recipients'
import type { ReadTypedRecipient } from '../read-payment'
import type { PaymentValues } from '../values'

/** The codes of which a purpose must contain one. */
export function payerCodes(values: PaymentValues, notaryCode: string): readonly string[] {
  const client = parseClientCode(values.clientCode)
  return [client.ok ? client.value.code : '', notaryCode].filter((code) => code !== '')
}

function parseCodeOfAccount(text: string, isTaken: (code: string) => boolean): Result<string, MessageKey> {
  const read = parseBudgetCode(text)
  return read.ok && !isTaken(read.value) ? err('cbc_not_for_account') : read
}

/** Reads the recipient, account, purpose and amount that were typed. */
export const readTypedRecipient: ReadTypedRecipient = (values, { notary, requisites }) => {
  const account = normaliseIban(values.iban)
  const known = (requisites?.requisites_templates ?? []).map((template) => ({
    iban: template.recipient_iban,
    okpo: template.recipient_code,
    budgetCodes: template.account_cbc_codes,
  }))
  const recipientCode = parseRecipientCode(values.okpo, account, known)
  const recipient = {
    iban: account,
    okpo: recipientCode.ok ? recipientCode.value : '',
    name: values.recipientName,
  }
  const read = readFields({
    recipientName: parseLine(values.recipientName, 'recipient_name_required'),
    okpo: recipientCode,
    iban: parseIban(values.iban),
    budgetCode: isBudgetAccount(account)
      ? parseCodeOfAccount(values.budgetCode, (code) => takesBudgetCode(recipient, code, known))
      : ok(null),
    purpose: parsePurpose({
      purpose: values.purpose,
      iban: account,
      payerCodes: payerCodes(values, notary.inn),
      paymentCodes: requisites?.payment_codes ?? null,
    }),
    // Checked here, sent with the price.
    amount: parseMoney(values.amount),
  })
  if (!read.ok) return read
  const { recipientName, okpo, iban, budgetCode, purpose } = read.value
  return ok({
    recipient_name: recipientName,
    iban,
    okpo,
    purpose,
    ...(values.templateId !== '' &&
      idOfOwn(values.templateId) === null && { requisites_template: values.templateId }),
    ...(budgetCode !== null && { cbc_code: budgetCode }),
  })
}
