import { describe, expect, it } from 'vitest'

import {
  editableMoney,
  formatHryvnias,
  formatMoney,
  fromHryvnias,
  kopiykas,
  toHryvnias,
  total,
} from './money'
import { parseMoney } from './money-typed'

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
