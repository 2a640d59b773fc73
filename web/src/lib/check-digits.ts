function weightedSum(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, index) => sum + weight * Number(digits[index] ?? '0'), 0)
}

const TAX_ID_WEIGHTS = [-1, 5, 7, 9, 4, 6, 10, 5, 7] as const

/** Whether the tenth digit of a tax id (РНОКПП) fits the other nine. */
export function taxIdCheckDigitFits(code: string): boolean {
  const sum = weightedSum(code, TAX_ID_WEIGHTS)
  const rest = ((sum % 11) + 11) % 11
  return rest % 10 === Number(code[9])
}

const EDRPOU_WEIGHTS = [1, 2, 3, 4, 5, 6, 7] as const
const EDRPOU_MIDDLE_WEIGHTS = [7, 1, 2, 3, 4, 5, 6] as const

/**
 * Whether the eighth digit of an EDRPOU code fits the other seven. Codes from 30000000 to 60000000 have their own weights. If the
 * remainder is ten, the sum is computed again with every weight increased by two.
 */
export function edrpouCheckDigitFits(code: string): boolean {
  const number = Number(code)
  const weights: readonly number[] =
    number < 30_000_000 || number > 60_000_000 ? EDRPOU_WEIGHTS : EDRPOU_MIDDLE_WEIGHTS
  let rest = weightedSum(code, weights) % 11
  if (rest === 10) {
    rest =
      weightedSum(
        code,
        weights.map((weight) => weight + 2),
      ) % 11
  }
  return rest % 10 === Number(code[7])
}
