import { expect, it } from 'vitest'

import { readTariff } from './tariff'

it("reads the server's tariff into whole numbers", () => {
  expect(readTariff({ ratio: 0.015, minimum: 10 })).toEqual({ basisPoints: 150, minimum: 1_000 })
  expect(readTariff({ ratio: 0.0125, minimum: 7.5 })).toEqual({ basisPoints: 125, minimum: 750 })
})
