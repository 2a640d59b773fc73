import type { components } from '@/api/schema'
import type { Locale } from './locale'
import { fromHryvnias, type Kopiykas } from './money'

/** The commission rate in whole numbers: 150 basis points are 1.5 %. */
export interface Tariff {
  readonly basisPoints: number
  readonly minimum: Kopiykas
}

/** A change of the tariff; `happened` decides the tense of its text. */
export interface TariffChange extends Tariff {
  readonly date: string
  readonly happened: boolean
}

type DatedTariffs = Pick<components['schemas']['Config'], 'tariff' | 'tariff_changes'>

function readTariff(wire: components['schemas']['Tariff']): Tariff {
  return { basisPoints: wire.basis_points, minimum: fromHryvnias(wire.minimum) }
}

/**
 * The tariff of a day in Kyiv, from the server's list. A page left open over midnight changes to the new one. The browser has no
 * tariff of its own.
 */
export function tariffOn({ tariff, tariff_changes: changes }: DatedTariffs, day: string): Tariff {
  const inForce = changes.findLast(({ valid_from: from }) => from !== null && from <= day)
  return readTariff(inForce ?? tariff)
}

/** The changes to show: the last one that took effect and the coming ones. */
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

/** Formats the rate: `1,5` in Ukrainian and `1.5` in English, without the percent sign. */
export function formatPercent(basisPoints: number, locale: Locale): string {
  const text = String(basisPoints / 100)
  return locale === 'uk' ? text.replace('.', ',') : text
}
