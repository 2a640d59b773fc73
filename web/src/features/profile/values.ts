import type { ProfileRequest, User } from '@/api/user'
import { civilDate } from '@/lib/dates'
import { groupIban, normaliseIban } from '@/lib/iban'
import { parsePhone } from '@/lib/phone'
import { groupCard, parseProfileCard } from './card'
import { formatPhone } from './phone'

/** The fields that can be changed, in the order of the page. */
export const profileFields = [
  'full_name',
  'registry_identifier',
  'certificate_number',
  'inn',
  'exemption_date_finish',
  'phone_additional',
  'email',
  'notary_address',
  'iban',
  'okpo',
  'card_pan',
] as const

export type ProfileField = (typeof profileFields)[number]

/** What stands in the fields, as typed. */
export type ProfileValues = Readonly<Record<ProfileField, string>>

/** The fields that were left as they were filled in follow another filling; what was typed stays. */
export function following(values: ProfileValues, from: ProfileValues, to: ProfileValues): ProfileValues {
  const entries = profileFields.map((field) => [
    field,
    values[field] === from[field] ? to[field] : values[field],
  ])
  return Object.fromEntries(entries) as ProfileValues
}

/** What was typed otherwise than it is saved. */
export function changesOf(values: ProfileValues, saved: ProfileValues): Partial<ProfileValues> {
  return Object.fromEntries(
    profileFields.flatMap((field) => (values[field] === saved[field] ? [] : [[field, values[field]]])),
  )
}

/** The form as the saved profile fills it. */
export function valuesOf(user: User): ProfileValues {
  return {
    full_name: user.full_name,
    registry_identifier: user.registry_identifier,
    certificate_number: user.certificate_number,
    inn: user.inn,
    exemption_date_finish: user.exemption_date_finish === null ? '' : civilDate(user.exemption_date_finish),
    phone_additional: formatPhone(user.phone_additional),
    email: user.email,
    notary_address: user.notary_address,
    iban: groupIban(user.iban),
    okpo: user.okpo,
    card_pan: groupCard(user.card_pan),
  }
}

/** `YYYY-MM-DD` of a date typed as `DD.MM.YYYY`; null where there is no such day. */
export function isoDate(typed: string): string | null {
  const [, day, month, year] = /^(\d{2})\.(\d{2})\.(\d{4})$/u.exec(typed) ?? []
  if (day === undefined || month === undefined || year === undefined) return null
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`)
  const exists = !Number.isNaN(date.getTime()) && date.getUTCDate() === Number(day)
  return exists ? `${year}-${month}-${day}` : null
}

/** What is sent; the rules have let it pass. */
export function requestOf(values: ProfileValues): ProfileRequest {
  const phone = parsePhone(values.phone_additional)
  const card = parseProfileCard(values.card_pan)
  return {
    full_name: values.full_name.trim(),
    registry_identifier: values.registry_identifier.trim(),
    certificate_number: values.certificate_number.trim(),
    inn: values.inn.replace(/\s/gu, ''),
    exemption_date_finish: isoDate(values.exemption_date_finish),
    phone_additional: phone.ok ? phone.value : '',
    email: values.email.trim(),
    notary_address: values.notary_address.trim(),
    iban: normaliseIban(values.iban),
    okpo: values.okpo.replace(/\s/gu, ''),
    card_pan: card.ok ? card.value : '',
  }
}
