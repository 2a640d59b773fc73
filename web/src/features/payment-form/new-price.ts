import { fromHryvnias, type Kopiykas } from '@/lib/money'

import type { ShownPrice } from './read-payment'

/** The server's price, where it differs from that on the screen. */
export interface NewPrice extends ShownPrice {
  readonly commission: Kopiykas
}

export function readPrice(wire: {
  readonly amount: number
  readonly commission: number
  readonly sum: number
}): NewPrice {
  return {
    amount: fromHryvnias(wire.amount),
    commission: fromHryvnias(wire.commission),
    sum: fromHryvnias(wire.sum),
  }
}
