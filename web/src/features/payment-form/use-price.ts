import type { Config } from '@/api/config'
import { priceOf, type PaymentKind, type Price } from '@/lib/commission'
import { tariffOn } from '@/lib/tariff'

import { amountOf } from './amount'
import type { PaymentLists } from './list'
import { useToday } from './use-today'
import type { PaymentValues } from './values'

/** Today's price of the payment, or null while it is not known. */
export function usePrice(
  kind: PaymentKind | null,
  values: PaymentValues,
  lists: PaymentLists,
  config: Config,
): Price | null {
  const today = useToday()
  if (kind === null) return null
  const amount = amountOf(kind, values, { options: lists.options.entries, terms: lists.terms.entries })
  const price = amount === null ? null : priceOf(kind, amount, tariffOn(config, today))
  return price?.ok ? price.value : null
}
