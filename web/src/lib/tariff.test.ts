import { describe, expect, it } from 'vitest'

import { formatPercent, tariffChangesOn, tariffOn } from './tariff'

const tariffs = {
  tariff: { valid_from: null, basis_points: 150, minimum: 5 },
  tariff_changes: [
    { valid_from: '2025-11-11', basis_points: 150, minimum: 10 },
    { valid_from: '2027-01-01', basis_points: 125, minimum: 7.5 },
  ],
}

describe('the tariff', () => {
  it.each([
    ['2025-11-10', { basisPoints: 150, minimum: 500 }],
    ['2025-11-11', { basisPoints: 150, minimum: 1_000 }],
    ['2026-12-31', { basisPoints: 150, minimum: 1_000 }],
    ['2027-01-01', { basisPoints: 125, minimum: 750 }],
  ])('of %s is read into whole numbers', (day, expected) => {
    expect(tariffOn(tariffs, day)).toEqual(expected)
  })

  it('has its changes marked as past or coming by the day', () => {
    expect(tariffChangesOn(tariffs, '2026-11-20').map(({ date, happened }) => [date, happened])).toEqual([
      ['2025-11-11', true],
      ['2027-01-01', false],
    ])
  })

  it('has its rate written as the language does', () => {
    expect(formatPercent(150, 'uk')).toBe('1,5')
    expect(formatPercent(125, 'en')).toBe('1.25')
    expect(formatPercent(200, 'uk')).toBe('2')
  })
})
