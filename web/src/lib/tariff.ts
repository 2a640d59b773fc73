import type { Locale } from './locale'
import { fromHryvnias, type Kopiykas } from './money'

/** The commission rate as the server states it: hundredths of a percent, and a minimum in hryvnias. */
export interface WireTariff {
  readonly basis_points: number
  readonly minimum: number
}

/** The commission rate in whole numbers: 150 basis points are 1.5 %. */
export interface Tariff {
  readonly basisPoints: number
  readonly minimum: Kopiykas
}

/** Reads the tariff of `GET /api/config`. It is dated and belongs to the server: the browser has no own. */
export function readTariff(wire: WireTariff): Tariff {
  return { basisPoints: wire.basis_points, minimum: fromHryvnias(wire.minimum) }
}

/** The rate for reading, `1,5` in Ukrainian and `1.5` in English; the percent sign is the sentence's. */
export function formatPercent(basisPoints: number, locale: Locale): string {
  const text = String(basisPoints / 100)
  return locale === 'uk' ? text.replace('.', ',') : text
}
