import { expect, it } from 'vitest'

import { formatPercent, readTariff } from './tariff'

it('reads the server’s tariff into whole numbers', () => {
  expect(readTariff({ basis_points: 150, minimum: 10 })).toEqual({ basisPoints: 150, minimum: 1_000 })
  expect(readTariff({ basis_points: 125, minimum: 7.5 })).toEqual({ basisPoints: 125, minimum: 750 })
})

it('writes the rate as the language does', () => {
  expect(formatPercent(150, 'uk')).toBe('1,5')
  expect(formatPercent(125, 'en')).toBe('1.25')
  expect(formatPercent(200, 'uk')).toBe('2')
})
