import { describe, expect, it } from 'vitest'

import {
  editableMoney,
  formatHryvnias,
  formatMoney,
  fromHryvnias,
  kopiykas,
  MONEY_MAX,
  parseMoney,
  toHryvnias,
  total,
} from './money'

describe('parseMoney', () => {
  it.each([
    ['1234.56', 123_456],
    ['1234,56', 123_456],
    ['1 234,56', 123_456],
    ['1\u00A0234,56', 123_456],
    ['1\u202F234,56 грн', 123_456],
    ['1,234.56', 123_456],
    ['1.234,56', 123_456],
    ['12,345,678.90', 1_234_567_890],
    ['1’234.56', 123_456],
    ['₴', 'amount_required'],
    ['340 грн.', 34_000],
    ['340', 34_000],
    ['340,', 34_000],
    ['340,5', 34_050],
    [',5', 50],
    ['0,01', 1],
    ['0.29', 29],
    ['007', 700],
    ['999999999,99', MONEY_MAX],
    ['1000000000', 'amount_invalid'],
    ['0', 'amount_invalid'],
    ['0,00', 'amount_invalid'],
    ['-5', 'amount_invalid'],
    ['−5', 'amount_invalid'],
    ['+5', 'amount_invalid'],
    ['1,234', 'amount_invalid'],
    ['1.2.3', 'amount_invalid'],
    ['1e3', 'amount_invalid'],
    ['0x10', 'amount_invalid'],
    ['сто', 'amount_invalid'],
    [',', 'amount_invalid'],
    ['', 'amount_required'],
    ['   ', 'amount_required'],
  ])('reads %j', (text, expected) => {
    const read = parseMoney(text)
    expect(read.ok ? read.value : read.error).toBe(expected)
  })
})

describe('sums of the API', () => {
  it('become whole kopiykas and come back unchanged, also where the binary fraction is off', () => {
    for (const hryvnias of [0.29, 0.57, 1.1, 8.2, 1250.5, 16_889.6, 999_999_999.99, 333_333_333.33]) {
      expect(toHryvnias(fromHryvnias(hryvnias))).toBe(hryvnias)
    }
    expect(fromHryvnias(349.48)).toBe(34_948)
  })

  it('never pass a fraction of a kopiyka on', () => {
    expect(() => kopiykas(0.5)).toThrow(RangeError)
  })
})

describe('formatting', () => {
  it('follows the language and keeps a sum in one piece', () => {
    expect(formatMoney(kopiykas(125_050), 'uk')).toBe('1\u00A0250,50')
    expect(formatMoney(kopiykas(125_050), 'en')).toBe('1,250.50')
    expect(formatMoney(kopiykas(5), 'uk')).toBe('0,05')
    expect(formatMoney(kopiykas(100_000_000), 'uk')).toBe('1\u00A0000\u00A0000,00')
    expect(formatHryvnias(kopiykas(34_000), 'uk')).toBe('340,00\u00A0грн')
    expect(formatHryvnias(kopiykas(34_000), 'en')).toBe('340.00\u00A0UAH')
  })

  it('gives a field text that reads back to the same sum', () => {
    for (const sum of [34_000, 34_050, 5, 123_456_789]) {
      for (const locale of ['uk', 'en'] as const) {
        expect(parseMoney(editableMoney(kopiykas(sum), locale))).toEqual({ ok: true, value: sum })
      }
    }
  })
})

it('adds sums without a fraction', () => {
  expect(total([0.1, 0.2, 0.7].map(fromHryvnias))).toBe(100)
})
