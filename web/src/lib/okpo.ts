import { edrpouCheckDigitFits, taxIdCheckDigitFits } from './check-digits'
import { err, ok, type Result } from './result'
import { compact } from './text'

/** Parses a recipient's code: 8 digits (EDRPOU) or 10 digits (tax id), white space ignored. */
export function parseOkpo(text: string): Result<string, 'okpo_required' | 'okpo_invalid'> {
  const code = compact(text)
  if (code === '') {
    return err('okpo_required')
  }
  return /^(?:\d{8}|\d{10})$/u.test(code) ? ok(code) : err('okpo_invalid')
}

/** Whether the check digit is wrong. That is a warning, not an error: such codes are in use. */
export function okpoHasWrongCheckDigit(code: string): boolean {
  return code.length === 10 ? !taxIdCheckDigitFits(code) : !edrpouCheckDigitFits(code)
}
