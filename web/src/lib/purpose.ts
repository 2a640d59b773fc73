import { isBudgetAccount } from './iban'
import { cyrillicCapitals } from './look-alikes'
import { err, ok, type Result } from './result'
import { compact, countCharacters, hasUnlawfulCharacters, plainLine } from './text'

/** The longest purpose, in characters (specification, point 9). */
export const PURPOSE_CHARS_MAX = 160

export type PurposeError =
  | 'text_invalid'
  | 'purpose_required'
  | 'purpose_max_height'
  | 'purpose_invalid'
  | 'purpose_must_contains_ipn'

/** The structured form of the specification: `*;101;12345678;text;;;`. */
const STRUCTURED = /^\*;\d{3};[^;\s]{8,10};[^;]*;[^;]*;[^;]*;$/u

/** The form in force since 01.12.2023: three digits, one space, text. */
const CODE_AND_TEXT = /^\d{3} \S/u

/** The form of a budget account's purpose; null if it has neither. */
export function budgetForm(purpose: string): 'structured' | 'code_and_text' | null {
  if (STRUCTURED.test(purpose)) return 'structured'
  return CODE_AND_TEXT.test(purpose) ? 'code_and_text' : null
}

/**
 * Whether the purpose contains the code. A number must match exactly; a passport may be written with a space, in small letters or in
 * Latin ones.
 */
function names(purpose: string, code: string): boolean {
  if (/^\d+$/u.test(code)) return purpose.includes(code)
  return cyrillicCapitals(compact(purpose).toUpperCase().normalize('NFC')).includes(code)
}

/** Whether the purpose contains one of the codes, so that the recipient knows who paid. */
export function namesPayer(purpose: string, payerCodes: readonly string[]): boolean {
  return payerCodes.some((code) => code !== '' && names(purpose, code))
}

export interface PurposeContext {
  readonly purpose: string
  /** Normalised; empty while none is typed. */
  readonly iban: string
  /** The client's code and the notary's own. The purpose must contain one of them. */
  readonly payerCodes: readonly string[]
}

/** Parses a purpose. Returns the error of the first broken rule. */
export function parsePurpose({ purpose, iban, payerCodes }: PurposeContext): Result<string, PurposeError> {
  if (hasUnlawfulCharacters(purpose)) {
    return err('text_invalid')
  }
  const text = plainLine(purpose)
  if (text === '') {
    return err('purpose_required')
  }
  if (countCharacters(text) > PURPOSE_CHARS_MAX) {
    return err('purpose_max_height')
  }
  if (isBudgetAccount(iban) && budgetForm(text) === null) {
    return err('purpose_invalid')
  }
  return namesPayer(text, payerCodes) ? ok(text) : err('purpose_must_contains_ipn')
}

/** Adds the payer's code to the purpose: in the empty third field of the structured form, otherwise at the end of the text. */
export function withPayerCode(purpose: string, code: string): string {
  const text = plainLine(purpose)
  if (/^\*;\d{3};;/u.test(text)) {
    return text.replace(/^(\*;\d{3};);/u, `$1${code};`)
  }
  if (STRUCTURED.test(text)) {
    const [mark = '', kind = '', payer = '', explanation = '', ...rest] = text.split(';')
    return [mark, kind, payer, explanation === '' ? code : `${explanation} ${code}`, ...rest].join(';')
  }
  return text === '' ? code : `${text} ${code}`
}
