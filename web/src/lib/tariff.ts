import { fromHryvnias, type Kopiykas } from './money'

/** The commission rate as the server states it: `ratio` 0.015, `minimum` in hryvnias. */
export interface WireTariff {
  readonly ratio: number
  readonly minimum: number
}

/** The commission rate in whole numbers: 150 basis points are 1.5 %. */
export interface Tariff {
  readonly basisPoints: number
  readonly minimum: Kopiykas
}

/** Reads the tariff of `GET /api/config`. It is dated and belongs to the server: the browser has no own. */
export function readTariff(wire: WireTariff): Tariff {
  return {
    basisPoints: Math.round(wire.ratio * 10_000),
    minimum: fromHryvnias(wire.minimum),
  }
}
