import { i18n } from '@lingui/core'
import { beforeEach, expect, it } from 'vitest'

import { ibanSlip } from './iban-slip'

const right = 'UA21 3223 1300 0002 6007 2335 6600 1'

beforeEach(() => i18n.loadAndActivate({ locale: 'uk', messages: {} }))

it('names how many digits were typed', () => {
  expect(ibanSlip('UA21 3223 1300 0002 6007 2335 6600')).toBe('У рахунку IBAN 26 цифр із 27')
  expect(ibanSlip('UA2')).toBe('У рахунку IBAN 1 цифра із 27')
  expect(ibanSlip('UA21 3')).toBe('У рахунку IBAN 3 цифри із 27')
  expect(ibanSlip(`${right}5`)).toBe('У рахунку IBAN 28 цифр, а має бути 27')
})

it('names check digits that do not match', () => {
  const words = 'Контрольне число рахунку IBAN не збігається. Перевірте рахунок'
  expect(ibanSlip('UA21 3223 1300 0002 6007 2335 6600 2')).toBe(words)
  expect(ibanSlip('UA00 3223 1300 0002 6007 2335 6600 1')).toBe(words)
})

it('has nothing to say about a right account and about what is none of Ukraine', () => {
  expect(ibanSlip(right)).toBeNull()
  expect(ibanSlip('DE89370400440532013000')).toBeNull()
  expect(ibanSlip('')).toBeNull()
})
