import type { components } from '@/api/schema'
import type { Locale } from './locale'
import { fromHryvnias, type Kopiykas } from './money'

/** The commission rate in whole numbers: 150 basis points are 1.5 %. */
export interface Tariff {
  readonly basisPoints: number
  readonly minimum: Kopiykas
}

/** A change of the tariff, told in the tense that is right on the day. */
export interface TariffChange extends Tariff {
  readonly date: string
  readonly happened: boolean
}

type DatedTariffs = Pick<components['schemas']['Config'], 'tariff' | 'tariff_changes'>

function readTariff(wire: components['schemas']['Tariff']): Tariff {
  return { basisPoints: wire.basis_points, minimum: fromHryvnias(wire.minimum) }
}

/**
 * The tariff of the given day in Kyiv, by what the server has told: a page left open over midnight goes over to the
 * new one by itself. The browser has no tariff of its own.
 */
export function tariffOn({ tariff, tariff_changes: changes }: DatedTariffs, day: string): Tariff {
  const inForce = changes.findLast(({ valid_from: from }) => from !== null && from <= day)
  return readTariff(inForce ?? tariff)
}

/** The changes worth a warning: the last that happened and those to come. */
export function tariffChangesOn(
  { tariff_changes: changes }: DatedTariffs,
  day: string,
): readonly TariffChange[] {
  return changes.flatMap((change) =>
    change.valid_from === null
      ? []
      : [{ ...readTariff(change), date: change.valid_from, happened: change.valid_from <= day }],
  )
}

/** The rate for reading, `1,5` in Ukrainian and `1.5` in English; the percent sign is the sentence's. */
export function formatPercent(basisPoints: number, locale: Locale): string {
  const text = String(basisPoints / 100)
  return locale === 'uk' ? text.replace('.', ',') : text
}
