import { expect, test } from 'vitest'
import { errorsOf } from '@/forms/read-fields'
import { shownErrors, standingErrors as standing } from '@/forms/shown-errors'
import { readProfile } from './read-profile'
import type { ProfileField, ProfileValues } from './values'

const profileErrors = (values: ProfileValues) => errorsOf(readProfile(values))

/** The request of values that are right. */
function requestOf(values: ProfileValues) {
  const read = readProfile(values)
  if (!read.ok) throw new Error(JSON.stringify(read.error))
  return read.value
}

const sound: ProfileValues = {
  full_name: 'Шевченко Олена Григорівна',
  registry_identifier: 'NOTAR12345',
  certificate_number: '',
  inn: '',
  exemption_date_finish: '',
  phone_additional: '',
  email: '',
  notary_address: '',
  iban: '',
  okpo: '',
  card_pan: '',
}

test('a profile needs a name and a registry identifier, nothing else', () => {
  expect(profileErrors(sound)).toEqual({})
  expect(profileErrors({ ...sound, full_name: ' ', registry_identifier: '' })).toEqual({
    full_name: 'full_name_required',
    registry_identifier: 'registry_identifier_required',
  })
})

test.each([
  ['iban', 'UA21 3223 1300 0002 6007 2335 6600 2', 'iban_invalid'],
  ['okpo', '123456789', 'okpo_invalid'],
  ['card_pan', '4242 4242 4242 4241', 'card_pan_invalid'],
  ['phone_additional', '+38 (067) 12', 'phone_incorrect'],
  ['phone_additional', 'abc', 'phone_incorrect'],
  ['inn', '12345', 'client_inn_format_invalid'],
  ['certificate_number', '12345678901', 'certificate_number_invalid'],
  ['email', 'olena@host', 'email_invalid'],
  ['exemption_date_finish', '31.02.2027', 'date_invalid'],
] as const)('%s "%s" is refused with %s', (field, typed, key) => {
  expect(profileErrors({ ...sound, [field]: typed })).toEqual({ [field]: key })
})

test('a name has up to 140 characters, without the spaces that are dropped', () => {
  const longest = `${'Я'.repeat(70)} ${'я'.repeat(69)}`
  expect(requestOf({ ...sound, full_name: ` ${longest.replace(' ', '   ')}\u00AD ` }).full_name).toBe(longest)
  expect(profileErrors({ ...sound, full_name: `${longest}я` })).toEqual({ full_name: 'text_too_long' })
})

test("an account for a person's own needs does not go with a tax number", () => {
  const values = { ...sound, iban: 'UA263220010000026201234567890', okpo: '3184710691' }
  expect(profileErrors(values)).toEqual({ iban: 'iban_balance_code_by_okpo_rule' })
  expect(profileErrors({ ...values, okpo: '12345678' })).toEqual({})
})

test('what was typed for reading is sent for the server: no spaces, dates by the year, cards masked', () => {
  expect(
    requestOf({
      ...sound,
      iban: 'UA21 3223 1300 0002 6007 2335 6600 1',
      exemption_date_finish: '31.12.2027',
      phone_additional: '+38 (067) 123-45-67',
      card_pan: '4242 4242 4242 4242',
    }),
  ).toMatchObject({
    iban: 'UA213223130000026007233566001',
    exemption_date_finish: '2027-12-31',
    phone_additional: '+380671234567',
    card_pan: '424242******4242',
  })
  expect(requestOf(sound)).toMatchObject({ exemption_date_finish: null, phone_additional: '', card_pan: '' })
})

test.each(['+380', '+38 (0', '+38', ''])(
  'the start of a phone number alone, %s, is an empty field',
  (text) => {
    const values = { ...sound, phone_additional: text }
    expect(profileErrors(values)).toEqual({})
    expect(requestOf(values).phone_additional).toBe('')
  },
)

test('the error of an account goes with the code that caused it; what the server said of another field stays', () => {
  const personal = { ...sound, iban: 'UA263220010000026201234567890', okpo: '3184710691' }
  const shown = {
    ...shownErrors<ProfileField>(profileErrors(personal), false),
    inn: { key: 'client_inn_format_invalid', fromServer: true },
  } as const
  const standingErrors = (after: ProfileValues) => standing(shown, personal, after, profileErrors(after))
  expect(shown.iban?.key).toBe('iban_balance_code_by_okpo_rule')
  expect(standingErrors({ ...personal, okpo: '12345678' })).toEqual({ inn: shown.inn })
  expect(standingErrors({ ...personal, email: 'o@example.ua' })).toEqual(shown)
})
