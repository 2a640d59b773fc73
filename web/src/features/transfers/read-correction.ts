import type { OrderTransfer, ResendRequest } from '@/api/transfers'
import type { Reader } from '@/forms/form-options'
import { readFields } from '@/forms/read-fields'
import { normaliseIban, parseIban } from '@/lib/iban'
import { parseLine } from '@/lib/line'
import { readOwnAccount, type NotaryCodes } from '@/lib/own-account'
import { parseRecipientCode } from '@/lib/pairs'
import { parsePurpose, type PurposeContext } from '@/lib/purpose'
import { ok } from '@/lib/result'

export interface CorrectionValues {
  readonly recipient_name: string
  readonly okpo: string
  readonly iban: string
  readonly purpose: string
}

interface CorrectionContext {
  readonly transfer: OrderTransfer
  readonly clientCode: string
  readonly notary: NotaryCodes
}

/** Reads what the page can judge alone. Only the server knows the accounts and codes of the reference data. */
export function correctionReader({
  transfer,
  clientCode,
  notary,
}: CorrectionContext): Reader<CorrectionValues, ResendRequest> {
  const { offered, purpose: written } = transfer
  const known = offered === null ? [] : [{ iban: offered.iban, okpo: offered.okpo, budgetCodes: [] }]

  /** What the cabinet wrote is kept, whatever is asked of typed texts. */
  const readPurpose = (context: Omit<PurposeContext, 'paymentCodes'>) =>
    context.purpose.trim() === written ? ok(written) : parsePurpose({ ...context, paymentCodes: null })

  return ({ recipient_name: name, okpo, iban, purpose }) => {
    if (transfer.role === 'notary') {
      const own = readOwnAccount(iban, okpo, notary)
      return readFields({
        recipient_name: ok(name),
        okpo: own.okpo,
        iban: own.iban,
        purpose: readPurpose({ purpose, iban: '', payerCodes: null }),
      })
    }
    const account = normaliseIban(iban)
    const payerCodes = [clientCode, notary.inn]
    return readFields({
      recipient_name: parseLine(name, 'recipient_name_required'),
      okpo: parseRecipientCode(okpo, account, known),
      iban: parseIban(iban),
      purpose: readPurpose({ purpose, iban: account, payerCodes }),
    })
  }
}
