import { accepted, refused, type Read } from './result'

/**
 * Reads a Ukrainian phone number in any usual form (`+380…`, `380…`, `0…`, masked, with spaces) and
 * answers `+380XXXXXXXXX`. The bare `+380` that the field opens with counts as nothing typed.
 */
export function parsePhone(text: string): Read<string, 'phone_required' | 'phone_incorrect'> {
  const bare = text.replace(/[\s()\-‐‑–—.]/gu, '')
  if (bare === '' || bare === '+' || bare === '+380') {
    return refused('phone_required')
  }
  const digits = /^(?:\+?380|0)(\d{9})$/u.exec(bare)?.[1]
  return digits === undefined ? refused('phone_incorrect') : accepted(`+380${digits}`)
}

/** The number in its masked form for reading aloud: `+38 (050) 111-22-33`. */
export function formatPhone(phone: string): string {
  return phone.replace(/^\+38(\d{3})(\d{3})(\d{2})(\d{2})$/u, '+38 ($1) $2-$3-$4')
}
