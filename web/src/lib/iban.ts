import { err, ok, type Result } from './result'
import { compact, groupFours } from './text'

/** The bank codes of the Treasury. The second is an older one that is still in use. */
const TREASURY_BANK_CODES: ReadonlySet<string> = new Set(['899998', '820172'])

/** The balance code of a person's account for own needs. */
const PERSONAL_BALANCE_CODE = '2620'

/** The remainder of the digits modulo 97, computed in pieces, since the whole number exceeds a safe integer. */
function mod97(digits: string): number {
  let rest = 0
  for (let start = 0; start < digits.length; start += 7) {
    rest = Number(`${rest}${digits.slice(start, start + 7)}`) % 97
  }
  return rest
}

/** Whether the country code was typed with a Cyrillic А. The form shows that it was read as the Latin letter. */
export function hasCyrillicCountryLetter(text: string): boolean {
  return compact(text).toUpperCase()[1] === 'А'
}

/** Removes white space, converts to capitals, and replaces a Cyrillic А in the country code by the Latin letter. */
export function normaliseIban(text: string): string {
  return compact(text).toUpperCase().replace(/^UА/u, 'UA')
}

/** Parses a Ukrainian IBAN in any usual spelling. Wrong check digits are refused: a wrong account may lose the client's money. */
export function parseIban(text: string): Result<string, 'iban_required' | 'iban_invalid'> {
  const iban = normaliseIban(text)
  if (iban === '') {
    return err('iban_required')
  }
  if (!/^UA\d{27}$/u.test(iban)) {
    return err('iban_invalid')
  }
  const checkDigits = Number(iban.slice(2, 4))
  // The check digits 00, 01 and 99 can pass the sum but are never issued.
  if (checkDigits < 2 || checkDigits > 98) {
    return err('iban_invalid')
  }
  // For the check the first four characters move to the end, and U counts as 30, A as 10.
  const moved = `${iban.slice(4)}3010${iban.slice(2, 4)}`
  return mod97(moved) === 1 ? ok(iban) : err('iban_invalid')
}

/** The bank code: six digits. */
export function bankCode(iban: string): string {
  return iban.slice(4, 10)
}

export function isTreasury(iban: string): boolean {
  return TREASURY_BANK_CODES.has(bankCode(iban))
}

/** Whether the account is a budget account by the specification's rule. The purpose then has its own form. */
export function isBudgetAccount(iban: string): boolean {
  return iban[4] === '8'
}

/** The balance code: the first four digits of the account without its leading zeros. */
export function balanceCode(iban: string): string {
  return iban.slice(10).replace(/^0+/u, '').slice(0, 4)
}

/**
 * A person (a ten-digit code) must not be paid to an account for own needs (balance code 2620). The rule does not apply to
 * accounts of the Treasury, where these digits may occur by chance.
 */
export function breaksBalanceCodeRule(iban: string, okpo: string): boolean {
  return okpo.length === 10 && !isTreasury(iban) && balanceCode(iban) === PERSONAL_BALANCE_CODE
}

/** The IBAN in groups of four. */
export function groupIban(iban: string): string {
  return groupFours(iban)
}
