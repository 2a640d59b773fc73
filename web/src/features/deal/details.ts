import type { DealKind, DealSum } from '@/api/deals'
import type { MessageKey } from '@/api/failure'
import { parseMoney } from '@/lib/money-typed'
import { err, ok, type Result } from '@/lib/result'

import { parsePayers, PAYERS, readShares, shareField, sharersOf } from './shares'

/** What the form holds, as typed. */
type Typed = Readonly<Record<string, string>>

/** What a deal may say beside what every deal of its kind does. Nothing typed is the ordinary case: one object, one acquirer. */
export type DealCount = 'objects' | 'owners'

const DETAIL_SUMS: ReadonlySet<DealSum> = new Set(['building_price', 'costs'])

export const isDetail = (sum: DealSum) => DETAIL_SUMS.has(sum)

export const detailSumsOf = (kind: DealKind): readonly DealSum[] => kind.sums.filter(isDetail)

export const countsOf = (kind: DealKind): readonly DealCount[] => [
  ...(kind.counts_objects ? ['objects' as const] : []),
  ...(kind.counts_shares ? ['owners' as const] : []),
]

/** The fields that are folded away. */
export const detailsOf = (kind: DealKind, values: Typed): readonly string[] => [
  ...countsOf(kind),
  ...(kind.taxpayer === null ? [] : [PAYERS, ...sharersOf(kind, values).map(shareField)]),
  ...detailSumsOf(kind),
]

/** Reads a number of objects or acquirers; nothing typed is one. */
export function parseCount(text: string): Result<number, MessageKey> {
  const typed = text.trim()
  if (typed === '') return ok(1)
  return /^[1-9]\d{0,2}$/u.test(typed) ? ok(Number(typed)) : err('count_invalid')
}

/** The most shares of all objects: as many as one payment can have units. */
const SHARES_MAX = 999

/** The errors of the details of a kind. */
export function detailErrors(kind: DealKind, values: Typed): ReadonlyMap<string, MessageKey> {
  const errors = new Map<string, MessageKey>()
  let shares = 1
  for (const count of countsOf(kind)) {
    const read = parseCount(values[count] ?? '')
    if (read.ok) shares *= read.value
    else errors.set(count, read.error)
  }
  if (shares > SHARES_MAX) errors.set('owners', 'count_invalid')
  const payers = kind.taxpayer === null ? ok(1) : parsePayers(values[PAYERS] ?? '')
  if (!payers.ok) errors.set(PAYERS, payers.error)
  const read = readShares(kind, values)
  if (!read.ok) errors.set(read.error, 'shares_invalid')
  const building = parseMoney(values['building_price'] ?? '')
  const price = parseMoney(values['price'] ?? '')
  if (kind.sums.includes('building_price') && building.ok && price.ok && building.value > price.value)
    errors.set('building_price', 'amount_invalid')
  return errors
}
