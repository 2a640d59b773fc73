import type { ProfileRequest, User } from '@/api/user'
import { civilDate } from '@/lib/dates'
import { groupIban } from '@/lib/iban'
import { formatPhone } from '@/lib/phone'
import { groupCard } from './card'

/** The fields that can be changed: those of the request. */
export type ProfileField = keyof ProfileRequest

/** The text of each field, as typed. */
export type ProfileValues = Readonly<Record<ProfileField, string>>

/** The fields of the values, in the order of the page. */
function fieldsOf(values: ProfileValues) {
  return Object.keys(values) as ProfileField[]
}

/** Changes the fields that are as in `from` to those of `to`. What was typed stays. */
export function following(values: ProfileValues, from: ProfileValues, to: ProfileValues): ProfileValues {
  const entries = fieldsOf(values).map((field) => [
    field,
    values[field] === from[field] ? to[field] : values[field],
  ])
  return Object.fromEntries(entries) as ProfileValues
}

/** The fields that differ from the saved ones. */
export function changesOf(values: ProfileValues, saved: ProfileValues): Partial<ProfileValues> {
  return Object.fromEntries(
    fieldsOf(values).flatMap((field) => (values[field] === saved[field] ? [] : [[field, values[field]]])),
  )
}

/** The values of the form for a saved profile, in the order of the page. */
export function valuesOf(user: User): ProfileValues {
  return {
    full_name: user.requested_name ?? user.full_name,
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

/** Whether all fields are as saved. */
export function isSaved(values: ProfileValues, saved: ProfileValues): boolean {
  return fieldsOf(values).every((field) => values[field] === saved[field])
}
