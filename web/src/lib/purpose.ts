import { isBudgetAccount } from './iban'

/** The longest purpose, in characters (specification, point 9). */
export const PURPOSE_CHARS_MAX = 160

export type PurposeError =
  | 'purpose_required'
  | 'purpose_max_height'
  | 'purpose_invalid'
  | 'purpose_must_contains_ipn'

/** `*;101;12345678;text;;;` as the specification writes it. */
const LISTED_FORM = /^\*;\d{3};[^;]{8,10};[^;]*;[^;]*;[^;]*;$/u

/** `101 text`: three digits, one space, text; the form in force since 01.12.2023. */
const FORM_IN_FORCE = /^\d{3} \S.*$/u

/** Characters as a person counts them: a letter outside the basic plane is one, not two. */
export function countCharacters(text: string): number {
  return Array.from(text).length
}

/** Whether the purpose has one of the two forms that a budget account asks for. */
export function isBudgetPurpose(purpose: string): boolean {
  return LISTED_FORM.test(purpose) || FORM_IN_FORCE.test(purpose)
}

/** Whether one of the codes stands in the purpose, so that the recipient knows who paid. */
export function namesPayer(purpose: string, codes: readonly string[]): boolean {
  return codes.some((code) => code !== '' && purpose.includes(code))
}

/** The first rule that the purpose breaks, or null. `payerCodes` are the client's and the notary's own. */
export function purposeError({
  purpose,
  iban,
  payerCodes,
}: {
  readonly purpose: string
  /** Normalised; empty while none is typed. */
  readonly iban: string
  readonly payerCodes: readonly string[]
}): PurposeError | null {
  const text = purpose.trim()
  if (text === '') {
    return 'purpose_required'
  }
  if (countCharacters(text) > PURPOSE_CHARS_MAX) {
    return 'purpose_max_height'
  }
  if (isBudgetAccount(iban) && !isBudgetPurpose(text)) {
    return 'purpose_invalid'
  }
  return namesPayer(text, payerCodes) ? null : 'purpose_must_contains_ipn'
}

/**
 * The purpose with the payer's code added where its form has room for it: the empty third field of
 * the listed form, otherwise the end of the text.
 */
export function withPayerCode(purpose: string, code: string): string {
  const text = purpose.trimEnd()
  if (/^\*;\d{3};;/u.test(text)) {
    return text.replace(/^(\*;\d{3};);/u, `$1${code};`)
  }
  if (LISTED_FORM.test(text)) {
    return text.replace(
      /;([^;]*);([^;]*);([^;]*);$/u,
      (_whole, first: string, second: string, third: string) => {
        const explanation = first === '' ? code : `${first} ${code}`
        return `;${explanation};${second};${third};`
      },
    )
  }
  return text === '' ? code : `${text} ${code}`
}
