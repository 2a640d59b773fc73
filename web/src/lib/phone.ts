import { accepted, refused, type Read } from './result'
import { compact } from './text'

/**
 * Reads a Ukrainian phone number in any usual form (`+380…`, `380…`, `0…`, masked, with brackets, dots and dashes of
 * all kinds) and answers `+380XXXXXXXXX`.
 */
export function parsePhone(text: string): Read<string, 'phone_required' | 'phone_incorrect'> {
  const bare = compact(text).replace(/[().\-\u2010-\u2015\u2212]/gu, '')
  if (bare === '') {
    return refused('phone_required')
  }
  const digits = /^(?:\+?380|0)(\d{9})$/u.exec(bare)?.[1]
  return digits === undefined ? refused('phone_incorrect') : accepted(`+380${digits}`)
}

/** The number with all but its last two digits hidden: `+38 (050) ***-**-33`. */
export function maskedPhone(phone: string): string {
  return `+38 (${phone.slice(3, 6)}) ***-**-${phone.slice(-2)}`
}
