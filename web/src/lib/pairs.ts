/** What belongs together: an account and its owner's code, an account and a budget code. The server checks the same. */
import { isBudgetAccount, isTreasury } from './iban'
import { okpoHasWrongCheckDigit, parseOkpo } from './okpo'
import { err, ok, type Result } from './result'

/** What the reference data tell of an account. */
export interface KnownAccount {
  readonly iban: string
  readonly okpo: string
  /** The budget codes that the account takes; empty where the recipient is not the budget. */
  readonly budgetCodes: readonly string[]
}

/**
 * Parses the code of a recipient and checks it against the account. A known account takes only its own code; any other of the
 * Treasury takes an EDRPOU code with a right check digit.
 */
export function parseRecipientCode(
  text: string,
  iban: string,
  known: readonly KnownAccount[],
): Result<string, 'okpo_required' | 'okpo_invalid' | 'okpo_not_for_treasury' | 'okpo_not_for_account'> {
  const treasury = isTreasury(iban)
  const read = parseOkpo(text)
  if (!read.ok) return treasury && read.error === 'okpo_invalid' ? err('okpo_not_for_treasury') : read
  const code = read.value
  const account = known.find((each) => each.iban === iban)
  if (account?.okpo === code) return ok(code)
  if (treasury && (code.length === 10 || okpoHasWrongCheckDigit(code))) return err('okpo_not_for_treasury')
  return account === undefined ? ok(code) : err('okpo_not_for_account')
}

interface Recipient {
  readonly iban: string
  readonly okpo: string
  readonly name: string
}

/**
 * Whether the account takes payments under the budget code. A known account takes the codes it stands with. Of another budget account
 * the recipient's name may tell the code after its last slash, and no code begins with 0.
 */
export function takesBudgetCode(
  { iban, okpo, name }: Recipient,
  code: string,
  known: readonly KnownAccount[],
): boolean {
  const codes = known.find((each) => each.iban === iban)?.budgetCodes ?? []
  if (codes.length > 0) return codes.includes(code)
  if (!isBudgetAccount(iban)) return true
  const [, named] = /\/\s*(\d{8})\s*$/u.exec(name) ?? []
  return !code.startsWith('0') && (named === undefined || named === okpo || named === code)
}
