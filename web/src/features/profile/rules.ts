import type { MessageKey } from '@/api/failure'
import { parseClientCode } from '@/lib/client-code'
import { breaksBalanceCodeRule, parseIban } from '@/lib/iban'
import { parseOkpo } from '@/lib/okpo'
import { namesPaymentCard } from '@/lib/payment-card'
import { parsePhone } from '@/lib/phone'
import type { Read } from '@/lib/result'
import { parseProfileCard } from './card'
import { isoDate, type ProfileField, type ProfileValues } from './values'

export type ProfileErrors = Partial<Record<ProfileField, MessageKey>>

/** One `@` between two parts without blanks, the second with a dot; the server reads it the same way. */
const email = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/u

/** Fields that may stay empty, and what each has to be otherwise. */
const readers: Partial<Record<ProfileField, (text: string) => Read<string, MessageKey>>> = {
  iban: parseIban,
  okpo: parseOkpo,
  card_pan: parseProfileCard,
  phone_additional: parsePhone,
}

/** The start of a number, which the field itself writes, counts as nothing typed. */
function isPhoneStart(text: string): boolean {
  return '+380'.startsWith(text.trim()) || '+38 (0'.startsWith(text.trim())
}

/** The errors that outlast a change of another field: those of the rules go as soon as they are mended, wherever that was. */
export function standingErrors(
  errors: ProfileErrors,
  before: ProfileValues,
  after: ProfileValues,
): ProfileErrors {
  const [broken, stillBroken] = [profileErrors(before), profileErrors(after)]
  const standing = Object.entries(errors).filter(([name, key]) => {
    const field = name as ProfileField
    return before[field] === after[field] && (broken[field] !== key || stillBroken[field] === key)
  })
  return Object.fromEntries(standing)
}

/**
 * What the rules of the profile say (specification, point 5, and the readings). The specification's page saved whatever
 * its rules said; here a wrong account or an empty name is named before it is sent.
 */
export function profileErrors(values: ProfileValues): ProfileErrors {
  const errors: ProfileErrors = {}
  if (values.full_name.trim() === '') errors.full_name = 'full_name_required'
  if (values.registry_identifier.trim() === '') errors.registry_identifier = 'registry_identifier_required'

  for (const field of ['full_name', 'notary_address'] as const) {
    if (namesPaymentCard(values[field])) errors[field] = 'card_number_not_accepted'
  }

  for (const [field, read] of Object.entries(readers) as [
    ProfileField,
    (text: string) => Read<string, MessageKey>,
  ][]) {
    const result = values[field].trim() === '' ? null : read(values[field])
    if (result?.ok === false) errors[field] = result.error
  }
  if (isPhoneStart(values.phone_additional)) delete errors.phone_additional

  const inn = values.inn.trim() === '' ? null : parseClientCode(values.inn)
  if (inn?.ok === false) errors.inn = inn.error
  if (values.certificate_number !== '' && !/^\d{1,10}$/u.test(values.certificate_number)) {
    errors.certificate_number = 'certificate_number_invalid'
  }
  if (values.email.trim() !== '' && !email.test(values.email.trim())) errors.email = 'email_invalid'
  if (values.exemption_date_finish !== '' && isoDate(values.exemption_date_finish) === null) {
    errors.exemption_date_finish = 'date_invalid'
  }

  const iban = parseIban(values.iban)
  const okpo = parseOkpo(values.okpo)
  if (iban.ok && okpo.ok && breaksBalanceCodeRule(iban.value, okpo.value)) {
    errors.iban = 'iban_balance_code_by_okpo_rule'
  }
  return errors
}
