import type { ProfileRequest } from '@/api/user'
import { readFields, type FieldErrors } from '@/forms/read-fields'
import { parseClientCode } from '@/lib/client-code'
import { breaksBalanceCodeRule, parseIban } from '@/lib/iban'
import { parsePersonName } from '@/lib/line'
import { parseOkpo } from '@/lib/okpo'
import { namesPaymentCard } from '@/lib/payment-card'
import { parsePhone } from '@/lib/phone'
import { parseRegistryIdentifier } from '@/lib/registry-identifier'
import { err, ok, type Result } from '@/lib/result'
import { readDate } from '@/lib/typed-date'
import { parseProfileCard } from './card'
import type { ProfileField, ProfileValues } from './values'

/** The longest e-mail address, in characters (RFC 5321). */
export const EMAIL_CHARS_MAX = 254

/** One `@` between two parts without spaces, the second with a dot: the same rule as the server's. */
const EMAIL = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/u

/** Parses a field that may stay empty. */
function optional<Key>(text: string, parse: (text: string) => Result<string, Key>): Result<string, Key> {
  return text.trim() === '' ? ok('') : parse(text)
}

/** The prefix that the field inserts by itself counts as empty. */
function parseOptionalPhone(text: string) {
  const isBeginning = ['+380', '+38 (0'].some((beginning) => beginning.startsWith(text.trim()))
  return isBeginning ? ok('') : parsePhone(text)
}

function parseOptionalCode(text: string) {
  return optional(text, (typed) => {
    const read = parseClientCode(typed)
    return read.ok ? ok(read.value.code) : read
  })
}

function parseCertificateNumber(text: string) {
  return text === '' || /^\d{1,10}$/u.test(text) ? ok(text) : err('certificate_number_invalid')
}

function parseEmail(text: string) {
  const email = text.trim()
  return email === '' || EMAIL.test(email) ? ok(email) : err('email_invalid')
}

function parseAddress(text: string) {
  return namesPaymentCard(text) ? err('card_number_not_accepted') : ok(text.trim())
}

function parseOptionalDate(text: string) {
  if (text.trim() === '') return ok(null)
  const date = readDate(text)
  return date === null ? err('date_invalid') : ok(date)
}

/**
 * Parses the values into the body of `POST /me`, or returns the errors of all wrong fields (specification, point 5, and
 * "Readings: identifiers"; decision 14).
 */
export function readProfile(
  values: ProfileValues,
): Result<Required<ProfileRequest>, FieldErrors<ProfileField>> {
  const iban = optional(values.iban, parseIban)
  const okpo = optional(values.okpo, parseOkpo)
  const isPersonal = iban.ok && okpo.ok && breaksBalanceCodeRule(iban.value, okpo.value)
  return readFields({
    full_name: parsePersonName(values.full_name, 'full_name_required'),
    registry_identifier: parseRegistryIdentifier(values.registry_identifier),
    certificate_number: parseCertificateNumber(values.certificate_number),
    inn: parseOptionalCode(values.inn),
    exemption_date_finish: parseOptionalDate(values.exemption_date_finish),
    phone_additional: parseOptionalPhone(values.phone_additional),
    email: parseEmail(values.email),
    notary_address: parseAddress(values.notary_address),
    iban: isPersonal ? err('iban_balance_code_by_okpo_rule') : iban,
    okpo,
    card_pan: optional(values.card_pan, parseProfileCard),
  })
}
