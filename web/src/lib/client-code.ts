import { edrpouCheckDigitFits, taxIdCheckDigitFits } from './check-digits'
import { cyrillicCapitals } from './look-alikes'
import { err, ok, type Result } from './result'
import { compact } from './text'

/** Which document a client's identifier is, told by its form alone (specification, point 5). */
type ClientCodeKind = 'tax_id' | 'id_card' | 'edrpou' | 'passport'

export interface ClientCode {
  /** Without white space, letters in Cyrillic capitals. */
  readonly code: string
  readonly kind: ClientCodeKind
  /** Latin letters were taken for the Cyrillic ones that look the same; the form says so. */
  readonly latinReplaced: boolean
}

export type ClientCodeError = 'client_inn_required' | 'client_inn_format_invalid' | 'client_inn_same_digits'

function kindOf(code: string): ClientCodeKind | null {
  if (/^\d{10}$/u.test(code)) {
    return 'tax_id'
  }
  if (/^\d{9}$/u.test(code)) {
    return 'id_card'
  }
  if (/^\d{8}$/u.test(code)) {
    return 'edrpou'
  }
  return /^[А-ЯІЇЄҐ]{2}\d{6}$/u.test(code) ? 'passport' : null
}

/** Ten identical digits: a filler that no person has. It disables the button and says why. */
export function isSameDigits(text: string): boolean {
  return /^(\d)\1{9}$/u.test(compact(text))
}

/**
 * Reads a client's identifier. On behalf of a legal entity only an EDRPOU code fits; that switch is
 * the form's alone and the server does not know it.
 */
export function parseClientCode(
  text: string,
  { legalEntity = false }: { readonly legalEntity?: boolean } = {},
): Result<ClientCode, ClientCodeError> {
  const typed = compact(text).toUpperCase().normalize('NFC')
  if (typed === '') {
    return err('client_inn_required')
  }
  const code = cyrillicCapitals(typed)
  const kind = kindOf(code)
  if (kind === null || (legalEntity && kind !== 'edrpou')) {
    return err('client_inn_format_invalid')
  }
  if (isSameDigits(code)) {
    return err('client_inn_same_digits')
  }
  return ok({ code, kind, latinReplaced: code !== typed })
}

/**
 * Whether the check digit does not fit the rest: something to look at twice and never a reason to refuse, since such
 * codes are in force too.
 */
export function hasWrongCheckDigit({ code, kind }: Pick<ClientCode, 'code' | 'kind'>): boolean {
  switch (kind) {
    case 'tax_id':
      return !taxIdCheckDigitFits(code)
    case 'edrpou':
      return !edrpouCheckDigitFits(code)
    case 'id_card':
    case 'passport':
      return false
  }
}
