import { edrpouCheckDigitFits, taxIdCheckDigitFits } from './check-digits'
import { cyrillicCapitals } from './look-alikes'
import { err, ok, type Result } from './result'
import { compact } from './text'

/** The kind of document, decided by the form of the identifier alone (specification, point 5). */
type ClientCodeKind = 'tax_id' | 'id_card' | 'edrpou' | 'passport'

export interface ClientCode {
  /** Without white space, letters in Cyrillic capitals. */
  readonly code: string
  readonly kind: ClientCodeKind
  /** Latin letters were replaced by the Cyrillic ones that look the same. The form shows this. */
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

/** Whether the code is ten identical digits, which no person has. Such a code disables the button. */
export function isSameDigits(text: string): boolean {
  return /^(\d)\1{9}$/u.test(compact(text))
}

/** Parses a client's identifier. With `legalEntity` only an EDRPOU code is valid. The server does not know this switch. */
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

/** Whether an identifier is a company's. */
export function isLegalEntityCode(code: string): boolean {
  return kindOf(code) === 'edrpou'
}

/** Whether the check digit is wrong. This is shown as a warning and never refused, since such codes are in use. */
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
