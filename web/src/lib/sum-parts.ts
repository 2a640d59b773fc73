import { fromHryvnias, times, total, type Kopiykas } from './money'

/** A sum to pay: what the recipients get, and the commission. */
export interface SumParts {
  readonly amount: Kopiykas
  readonly commission: Kopiykas
}

interface Counted {
  readonly sum_base: number
  readonly commission: number
  readonly count: number
}

/** The parts of what these payments come to. Amount and commission are those of one unit. */
export function sumPartsOf(payments: readonly Counted[]): SumParts {
  const all = (part: 'sum_base' | 'commission') =>
    total(payments.map((payment) => times(fromHryvnias(payment[part]), payment.count)))
  return { amount: all('sum_base'), commission: all('commission') }
}
