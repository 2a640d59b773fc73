/**
 * Sums as people type and paste them. Only what is certainly a sum is read, and no character is left out of it: a sum that is read
 * otherwise than it was meant is paid otherwise. The server reads the same table, `testdata/money-typed.json`.
 */

import { kopiykas, MONEY_MAX, type Kopiykas } from './money'
import { err, ok, type Result } from './result'

/** Digits of a sum, without what divides them. */
interface TypedSum {
  /** Hryvnias; may be empty and may begin with zeros. */
  readonly whole: string
  /** No, one or two decimals. */
  readonly fraction: string
  /** The decimal point is what the other layout of the keyboard makes of its key («340ю50»), or the hyphen of accountants («340-50»). */
  readonly slip: boolean
}

/**
 * White space and the invisible characters that copying brings. Characters that turn the order of what stands between them are not
 * among them: such a text shows another sum than it holds.
 */
const EDGE =
  '[\\p{White_Space}\\u00AD\\u061C\\u200B-\\u200F\\u202A\\u202C\\u2060\\u2066\\u2068\\u2069\\uFEFF]+'
const EDGES = new RegExp(`^${EDGE}|${EDGE}$`, 'gu')

const HRYVNIAS = /(?:грн\.?|гривень|гривня|гривні|uah|₴)$/iu
const KOPIYKAS = /(?:коп\.?|копійка|копійки|копійок)$/iu
/** White space stands behind all but the sign: «грн.50» may be 50 hryvnias or 50 kopiykas. */
const HRYVNIAS_BEFORE = /^(?:₴|(?:грн\.?|uah)(?=\p{White_Space}))/iu

/** Whole hryvnias: digits, or groups of three with a space or an apostrophe between. A tab or a line end divides cells of a table. */
const WHOLE = "\\d+|[1-9]\\d{0,2}(?:\\p{Zs}\\d{3})+|[1-9]\\d{0,2}(?:['’]\\d{3})+"
const NUMBERS = [
  new RegExp(`^(?<whole>${WHOLE})(?:[.,](?<fraction>\\d{0,2}))?$`, 'u'),
  /^[.,](?<fraction>\d{1,2})$/u,
  // One separator before three digits may be of thousands or of decimals.
  /^(?<whole>[1-9]\d{0,2}(?:,\d{3})+)\.(?<fraction>\d{1,2})$/u,
  /^(?<whole>[1-9]\d{0,2}(?:\.\d{3})+),(?<fraction>\d{1,2})$/u,
  /^(?<whole>[1-9]\d{0,2}(?:(?:,\d{3}){2,}|(?:\.\d{3}){2,}))$/u,
]
/** Point and comma of the other layout, and the hyphen, also as programs write it. */
const SLIP = new RegExp(`^(?<whole>${WHOLE})(?:[юб]|[\\-‑–](?=\\d{2}$))(?<fraction>\\d{1,2})$`, 'iu')

const trimmed = (text: string) => text.replace(EDGES, '')

/** Removes the currency before or behind a number. */
function bareNumber(text: string): string {
  const before = text.replace(HRYVNIAS, '')
  return trimmed(before === text ? text.replace(HRYVNIAS_BEFORE, '') : before)
}

/** Reads «340 грн 50», of which the word of the kopiykas was removed. */
function withKopiykas(text: string): TypedSum | null {
  const [, hryvnias = '', decimals = ''] = /^(.*\D)(\d{1,2})$/su.exec(text) ?? []
  const number = trimmed(hryvnias)
  const bare = number.replace(HRYVNIAS, '')
  if (bare === number) return null
  const whole = new RegExp(`^(?:${WHOLE})$`, 'u').exec(trimmed(bare))?.[0]
  return whole === undefined ? null : sumOf(whole, decimals.padStart(2, '0'), false)
}

const sumOf = (whole: string, fraction: string, slip: boolean): TypedSum => ({
  whole: whole.replace(/\D/gu, ''),
  fraction,
  slip,
})

/** Whether there is nothing but a currency. */
const namesNoSum = (text: string): boolean => trimmed(trimmed(text).replace(HRYVNIAS, '')) === ''

/** Reads digits and what divides them, with the currency before or behind; null for everything that is not certainly a sum. */
export function readTypedSum(typed: string): TypedSum | null {
  const text = trimmed(typed)
  if (KOPIYKAS.test(text)) return withKopiykas(trimmed(text.replace(KOPIYKAS, '')))
  const number = bareNumber(text)
  for (const form of NUMBERS) {
    const parts = form.exec(number)?.groups
    if (parts !== undefined) return sumOf(parts['whole'] ?? '', parts['fraction'] ?? '', false)
  }
  const slip = SLIP.exec(number)?.groups
  return slip === undefined ? null : sumOf(slip['whole'] ?? '', slip['fraction'] ?? '', true)
}

/**
 * Parses a sum typed or pasted in any usual way: `1234.56`, `1 234,56`, `1,234.56`, `1.234,56 грн`. What is not certainly a sum is
 * refused: a third decimal, a sign, one separator before three digits. A slip of the keyboard is read, and the field tells it.
 */
export function parseMoney(text: string): Result<Kopiykas, 'amount_required' | 'amount_invalid'> {
  if (namesNoSum(text)) return err('amount_required')
  const typed = readTypedSum(text)
  if (typed === null) return err('amount_invalid')
  const sum = Number(`${typed.whole}${typed.fraction.padEnd(2, '0')}`)
  return sum === 0 || sum > MONEY_MAX ? err('amount_invalid') : ok(kopiykas(sum))
}
