import type { Locale } from './locale'

declare const unit: unique symbol

/**
 * A sum in whole kopiykas. All computations use this type, as on the server. Hryvnias with a fraction exist only in the API and
 * on the screen.
 */
export type Kopiykas = number & { readonly [unit]: 'kopiykas' }

/** The largest sum that the server accepts: 999 999 999,99 грн. */
export const MONEY_MAX = 99_999_999_999

const ZERO = 0 as Kopiykas

/** Converts a whole number to a sum. Throws for a fraction, which is a programming error. */
export function kopiykas(value: number): Kopiykas {
  if (!Number.isSafeInteger(value)) {
    throw new RangeError('a sum is a whole number of kopiykas')
  }
  return value as Kopiykas
}

/**
 * Converts a sum of the API: a number in hryvnias with at most two decimals. The rounding only removes the binary error (0.29 ×
 * 100 is 28.999…) and never changes a sum that the server can send.
 */
export function fromHryvnias(hryvnias: number): Kopiykas {
  return kopiykas(Math.round(hryvnias * 100))
}

/** The sum as the API has it: a number in hryvnias. */
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

/** Keeps a sum and its currency on one line. */
export const NO_BREAK_SPACE = '\u00A0'

/** Formats the sum with two decimals: `1 250,50` in Ukrainian, `1,250.50` in English. */
export function formatMoney(sum: Kopiykas, locale: Locale): string {
  const sign = sum < 0 ? '−' : ''
  const digits = String(Math.abs(sum)).padStart(3, '0')
  const whole = digits.slice(0, -2).replace(/\B(?=(?:\d{3})+$)/gu, locale === 'uk' ? NO_BREAK_SPACE : ',')
  return `${sign}${whole}${locale === 'uk' ? ',' : '.'}${digits.slice(-2)}`
}

/** Formats the sum with its currency: `1 250,50 грн` or `1,250.50 UAH`. It does not break across lines. */
export function formatHryvnias(sum: Kopiykas, locale: Locale): string {
  return `${formatMoney(sum, locale)}${NO_BREAK_SPACE}${locale === 'uk' ? 'грн' : 'UAH'}`
}

/** Formats the sum as it would be typed into a field: no grouping, decimals only if there are any. */
export function editableMoney(sum: Kopiykas, locale: Locale): string {
  const whole = Math.floor(sum / 100)
  const fraction = sum % 100
  if (fraction === 0) {
    return String(whole)
  }
  return `${whole}${locale === 'uk' ? ',' : '.'}${String(fraction).padStart(2, '0')}`
}
