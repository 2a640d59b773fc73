import type { Locale } from './locale'
import { err, ok, type Result } from './result'
import { compact } from './text'

declare const unit: unique symbol

/**
 * A sum in whole kopiykas. The browser computes with these only, as the server does: hryvnias with
 * a fraction exist on the wire and on the screen and nowhere else.
 */
export type Kopiykas = number & { readonly [unit]: 'kopiykas' }

/** The largest sum the server takes: 999 999 999,99 грн. */
export const MONEY_MAX = 99_999_999_999

const ZERO = 0 as Kopiykas

/** Marks a whole number as a sum; a fraction here is a programming error, not the user's. */
export function kopiykas(value: number): Kopiykas {
  if (!Number.isSafeInteger(value)) {
    throw new RangeError('a sum is a whole number of kopiykas')
  }
  return value as Kopiykas
}

/**
 * Reads a sum of the wire: a number in hryvnias with at most two decimals. The rounding only undoes
 * the binary fraction (0.29 × 100 is 28.999…); it never changes a sum the server can send.
 */
export function fromHryvnias(hryvnias: number): Kopiykas {
  return kopiykas(Math.round(hryvnias * 100))
}

/** The sum as the wire carries it: a number in hryvnias. */
export function toHryvnias(sum: Kopiykas): number {
  return sum / 100
}

export function plus(first: Kopiykas, second: Kopiykas): Kopiykas {
  return kopiykas(first + second)
}

export function times(sum: Kopiykas, count: number): Kopiykas {
  return kopiykas(sum * count)
}

export function total(sums: Iterable<Kopiykas>): Kopiykas {
  let result = ZERO
  for (const sum of sums) {
    result = plus(result, sum)
  }
  return result
}

const CURRENCY_WORDS = /(?:грн\.?|₴|uah)$/iu
const GROUPED_BY_COMMA = /^\d{1,3}(?:,\d{3})+\.\d{0,2}$/u
const GROUPED_BY_POINT = /^\d{1,3}(?:\.\d{3})+,\d{0,2}$/u
const PLAIN = /^(\d*)(?:[.,](\d{0,2}))?$/u

/**
 * Reads a sum typed or pasted in any usual way: `1234.56`, `1 234,56`, `1,234.56`, `1.234,56 грн`.
 * A third decimal is refused rather than rounded, and so is a sign: nobody means either of them.
 */
export function parseMoney(text: string): Result<Kopiykas, 'amount_required' | 'amount_invalid'> {
  const bare = compact(text).replace(/['’]/gu, '').replace(CURRENCY_WORDS, '')
  if (bare === '') {
    return err('amount_required')
  }
  const ungrouped = GROUPED_BY_COMMA.test(bare)
    ? bare.replaceAll(',', '')
    : GROUPED_BY_POINT.test(bare)
      ? bare.replaceAll('.', '')
      : bare
  const parts = PLAIN.exec(ungrouped)
  if (parts === null) {
    return err('amount_invalid')
  }
  const whole = parts[1] ?? ''
  const fraction = parts[2] ?? ''
  if (whole === '' && fraction === '') {
    return err('amount_invalid')
  }
  const sum = Number(`${whole}${fraction.padEnd(2, '0')}`)
  if (sum === 0 || sum > MONEY_MAX) {
    return err('amount_invalid')
  }
  return ok(kopiykas(sum))
}

/** The no-break space that keeps a sum and its currency on one line. */
export const NO_BREAK_SPACE = '\u00A0'

/** The sum for reading, always with two decimals: `1 250,50` in Ukrainian, `1,250.50` in English. */
export function formatMoney(sum: Kopiykas, locale: Locale): string {
  const sign = sum < 0 ? '−' : ''
  const digits = String(Math.abs(sum)).padStart(3, '0')
  const whole = digits.slice(0, -2).replace(/\B(?=(?:\d{3})+$)/gu, locale === 'uk' ? NO_BREAK_SPACE : ',')
  return `${sign}${whole}${locale === 'uk' ? ',' : '.'}${digits.slice(-2)}`
}

/** The sum with its currency: `1 250,50 грн` or `1,250.50 UAH`, never broken across lines. */
export function formatHryvnias(sum: Kopiykas, locale: Locale): string {
  return `${formatMoney(sum, locale)}${NO_BREAK_SPACE}${locale === 'uk' ? 'грн' : 'UAH'}`
}

/** The sum as a person would type it into a field: no grouping, the decimals only when there are any. */
export function editableMoney(sum: Kopiykas, locale: Locale): string {
  const whole = Math.floor(sum / 100)
  const fraction = sum % 100
  if (fraction === 0) {
    return String(whole)
  }
  return `${whole}${locale === 'uk' ? ',' : '.'}${String(fraction).padStart(2, '0')}`
}
