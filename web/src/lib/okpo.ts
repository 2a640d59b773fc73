import { edrpouCheckDigitFits, taxIdCheckDigitFits } from './check-digits'
import { accepted, refused, type Read } from './result'

/** Reads a recipient's code: 8 digits (EDRPOU) or 10 digits (tax id), white space ignored. */
export function parseOkpo(text: string): Read<string, 'okpo_required' | 'okpo_invalid'> {
  const code = text.replace(/\s/gu, '')
  if (code === '') {
    return refused('okpo_required')
  }
  return /^(?:\d{8}|\d{10})$/u.test(code) ? accepted(code) : refused('okpo_invalid')
}

/** A wrong check digit deserves a second look and does not block: such codes are in circulation. */
export function okpoHint(code: string): 'tax_id_check_digit' | 'edrpou_check_digit' | null {
  if (code.length === 10) {
    return taxIdCheckDigitFits(code) ? null : 'tax_id_check_digit'
  }
  return edrpouCheckDigitFits(code) ? null : 'edrpou_check_digit'
}
