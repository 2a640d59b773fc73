import type { components } from '@/api/schema'
import { kopiykas, MONEY_MAX, plus, total, type Kopiykas } from './money'
import { err, ok, type Result } from './result'
import type { Tariff } from './tariff'

/** The four kinds of payment. */
export type PaymentKind = components['schemas']['PaymentTypeSlug']

/** The part of a payment that one transfer carries, with its commission. */
interface PricePart {
  readonly role: 'notary' | 'recipient'
  readonly amount: Kopiykas
  readonly commission: Kopiykas
}

/** The price of one unit: `sum` is the amount with the commission of all its parts. */
export interface Price {
  readonly amount: Kopiykas
  readonly commission: Kopiykas
  readonly sum: Kopiykas
  readonly parts: readonly PricePart[]
}

/** The notary's share of an administrative fee, in percent (specification, point 9). */
const NOTARY_SHARE_PERCENT = 60

/** Rounds half up. Sums are never negative. */
function ratioOf(amount: Kopiykas, numerator: number, denominator: number): Kopiykas {
  return kopiykas(Math.floor((amount * numerator + denominator / 2) / denominator))
}

function commissionOn(amount: Kopiykas, tariff: Tariff): Kopiykas {
  const share = ratioOf(amount, tariff.basisPoints, 10_000)
  return share < tariff.minimum ? tariff.minimum : share
}

/**
 * The price of one unit, by the same rules as the server's (specification, point 9, and "Readings: money and tariff"): a fee of
 * `admin_payment` is two transfers, 60 % to the notary and the rest to the recipient, and each bears
 * its own commission with its own minimum; every other kind is one. The server's price is authoritative;
 * this one is shown before the server is asked. Zero and sums above `MONEY_MAX` are `amount_invalid`.
 */
export function priceOf(
  kind: PaymentKind,
  amount: Kopiykas,
  tariff: Tariff,
): Result<Price, 'amount_invalid'> {
  if (amount <= 0) {
    return err('amount_invalid')
  }
  const part = (role: PricePart['role'], share: Kopiykas): PricePart => ({
    role,
    amount: share,
    commission: commissionOn(share, tariff),
  })
  const parts: PricePart[] = []
  if (kind === 'admin_payment') {
    const own = ratioOf(amount, NOTARY_SHARE_PERCENT, 100)
    parts.push(part('notary', own), part('recipient', kopiykas(amount - own)))
  } else {
    parts.push(part('recipient', amount))
  }
  const commission = total(parts.map((each) => each.commission))
  const sum = plus(amount, commission)
  return sum > MONEY_MAX ? err('amount_invalid') : ok({ amount, commission, sum, parts })
}
