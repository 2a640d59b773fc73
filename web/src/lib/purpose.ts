import { isBudgetAccount } from './iban'
import { cyrillicCapitals } from './look-alikes'
import { namesPaymentCard } from './payment-card'
import { PURPOSE_CHARS_MAX } from './purpose-chars-max'
import { err, ok, type Result } from './result'
import { countCharacters, hasUnlawfulCharacters, plainLine } from './text'

export type PurposeError =
  | 'card_number_not_accepted'
  | 'text_invalid'
  | 'purpose_required'
  | 'purpose_max_height'
  | 'purpose_invalid'
  | 'purpose_code_unknown'
  | 'purpose_must_contains_ipn'

/** The structured form of the specification: `*;101;12345678;text;;;`. */
const STRUCTURED = /^\*;(\d{3});([^;\s]{8,10});([^;]*);([^;]*);([^;]*);$/u

/** The form in force since 01.12.2023: three digits, one space, text. */
const CODE_AND_TEXT = /^\d{3} \S/u

/** Whether a budget account accepts the form of the purpose. */
export function hasBudgetForm(purpose: string): boolean {
  return STRUCTURED.test(purpose) || CODE_AND_TEXT.test(purpose)
}

/**
 * The form in force of a purpose in the structured form; null for any other. The texts keep their order, and the payer's code
 * follows them unless they name it. The server stores the same.
 */
export function purposeInForce(purpose: string): string | null {
  const [, code, payer, ...texts] = STRUCTURED.exec(purpose) ?? []
  if (code === undefined || payer === undefined) return null
  const words = texts.map((text) => text.trim()).filter((text) => text !== '')
  const named = words.some((text) => hasWord(text, payer))
  return `${code} ${[...words, ...(named ? [] : [payer])].join(', ')}`
}

/** Whether the word stands in the text with neither a letter nor a digit beside it. `spaced`: spaces inside it don't count. */
function hasWord(text: string, word: string, { spaced = false } = {}): boolean {
  const letters = Array.from(word, (letter) => letter.replace(/[$()*+.?[\\\]^{|}]/u, '\\$&'))
  const apart = '[^\\p{Alphabetic}\\p{N}]'
  return new RegExp(`(?:^|${apart})${letters.join(spaced ? ' *' : '')}(?:$|${apart})`, 'u').test(text)
}

/**
 * Whether the purpose contains the code as a word of its own. A number must match exactly; a passport may be written with spaces, in
 * small letters or in Latin ones.
 */
function names(purpose: string, code: string): boolean {
  if (/^\d+$/u.test(code)) return hasWord(purpose, code)
  return hasWord(cyrillicCapitals(purpose.toUpperCase().normalize('NFC')), code, { spaced: true })
}

/** Whether the purpose contains one of the codes, so that the recipient knows who paid. */
export function namesPayer(purpose: string, payerCodes: readonly string[]): boolean {
  return payerCodes.some((code) => code !== '' && names(purpose, code))
}

export interface PurposeContext {
  readonly purpose: string
  /** Normalised; empty while none is typed. */
  readonly iban: string
  /** The client's code and the notary's own. The purpose must contain one of them; null where it need not. */
  readonly payerCodes: readonly string[] | null
  /** The payment codes in force; null while they are not loaded, and the server checks alone. */
  readonly paymentCodes: readonly string[] | null
}

/** Parses a purpose, and converts the structured form for a budget account. Returns the error of the first broken rule. */
export function parsePurpose(context: PurposeContext): Result<string, PurposeError> {
  const { purpose, iban, payerCodes } = context
  if (namesPaymentCard(purpose)) return err('card_number_not_accepted')
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
  const read = isBudgetAccount(iban) ? ofBudget(text, context.paymentCodes) : ok(text)
  if (!read.ok) return read
  if (payerCodes === null || namesPayer(read.value, payerCodes)) return read
  return err('purpose_must_contains_ipn')
}

function ofBudget(
  text: string,
  paymentCodes: readonly string[] | null,
): Result<string, 'purpose_invalid' | 'purpose_code_unknown'> {
  const purpose = purposeInForce(text) ?? text
  if (!CODE_AND_TEXT.test(purpose)) return err('purpose_invalid')
  const isKnown = paymentCodes === null || paymentCodes.includes(purpose.slice(0, 3))
  return isKnown ? ok(purpose) : err('purpose_code_unknown')
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
