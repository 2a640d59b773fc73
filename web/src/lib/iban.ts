import { err, ok, type Result } from './result'
import { compact, groupFours } from './text'

/** Bank codes of the Treasury; the second is an older one that still stands in accounts. */
const TREASURY_BANK_CODES: ReadonlySet<string> = new Set(['899998', '820172'])

/** The balance code of accounts that a person holds for own needs. */
const PERSONAL_BALANCE_CODE = '2620'

/** The remainder by 97 of the digits, piece by piece, since the whole is longer than a safe integer. */
function mod97(digits: string): number {
  let rest = 0
  for (let start = 0; start < digits.length; start += 7) {
    rest = Number(`${rest}${digits.slice(start, start + 7)}`) % 97
  }
  return rest
}

/** Whether the country's code was typed with a Cyrillic А; the form says that it was taken for the Latin one. */
export function hasCyrillicCountryLetter(text: string): boolean {
  return compact(text).toUpperCase()[1] === 'А'
}

/** What was typed, without white space and in capitals, with a Cyrillic А of the country's code read as Latin. */
export function normaliseIban(text: string): string {
  return compact(text).toUpperCase().replace(/^UА/u, 'UA')
}

/**
 * Reads a Ukrainian IBAN in any usual spelling. The check digits are not a formality: a wrong account
 * loses a client's money, so an account that fails them is refused.
 */
export function parseIban(text: string): Result<string, 'iban_required' | 'iban_invalid'> {
  const iban = normaliseIban(text)
  if (iban === '') {
    return err('iban_required')
  }
  if (!/^UA\d{27}$/u.test(iban)) {
    return err('iban_invalid')
  }
  const checkDigits = Number(iban.slice(2, 4))
  // 00, 01 and 99 can pass the sum, but are never issued.
  if (checkDigits < 2 || checkDigits > 98) {
    return err('iban_invalid')
  }
  // U is 30 and A is 10 in the check; the first four characters move to the end.
  const moved = `${iban.slice(4)}3010${iban.slice(2, 4)}`
  return mod97(moved) === 1 ? ok(iban) : err('iban_invalid')
}

/** The six digits of the bank. */
export function bankCode(iban: string): string {
  return iban.slice(4, 10)
}

export function isTreasury(iban: string): boolean {
  return TREASURY_BANK_CODES.has(bankCode(iban))
}

/** The specification's mark of a budget account: the purpose then has a form of its own. */
export function isBudgetAccount(iban: string): boolean {
  return iban[4] === '8'
}

/** The balance code: the first four digits of the account once its leading zeros are gone. */
export function balanceCode(iban: string): string {
  return iban.slice(10).replace(/^0+/u, '').slice(0, 4)
}

/**
 * A person (a ten-digit code) must not be paid to an account for own needs (balance code 2620). The
 * Treasury's accounts may carry these digits by chance, so the rule does not look at them.
 */
export function breaksBalanceCodeRule(iban: string, okpo: string): boolean {
  return okpo.length === 10 && !isTreasury(iban) && balanceCode(iban) === PERSONAL_BALANCE_CODE
}

/** The IBAN in groups of four, as it stands on paper and as one types it. */
export function groupIban(iban: string): string {
  return groupFours(iban)
}
