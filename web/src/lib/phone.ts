import { err, ok, type Result } from './result'
import { compact } from './text'

/**
 * Parses a Ukrainian phone number in any usual form (`+380…`, `380…`, `00380…`, `0…`, masked, a copied `tel:`, with brackets, dots,
 * slashes and dashes of all kinds) into `+380XXXXXXXXX`.
 */
export function parsePhone(text: string): Result<string, 'phone_required' | 'phone_incorrect'> {
  const bare = compact(text).replace(/[()./\-\u2010-\u2015\u2212]/gu, '')
  if (bare === '') {
    return err('phone_required')
  }
  const digits = /^(?:tel:)?(?:\+?380|00380|0)(\d{9})$/iu.exec(bare)?.[1]
  return digits === undefined ? err('phone_incorrect') : ok(`+380${digits}`)
}

/** Formats `+380XXXXXXXXX` as `+38 (050) 111-22-33`; an empty number stays empty. */
export function formatPhone(phone: string): string {
  return phone.replace(/^\+38(\d{3})(\d{3})(\d{2})(\d{2})$/u, '+38 ($1) $2-$3-$4')
}

/** Formats a number with five digits hidden: `+38 (050) ***-**-33`. */
export function maskedPhone(phone: string): string {
  return `+38 (${phone.slice(3, 6)}) ***-**-${phone.slice(-2)}`
}
