import type { CartTransfer } from './cart-transfers'
import type { Kopiykas } from './money'
import type { SumParts } from './sum-parts'

/** A client's payments in the cart, as the Pay button needs them. */
export interface PayableGroup {
  readonly clientId: string
  readonly clientName: string
  /** The ids and counts of the items (`contentsOf`). */
  readonly contents: string
  readonly sum: Kopiykas
  readonly parts: SumParts
  /** Who gets which part of the money. */
  readonly transfers: readonly CartTransfer[]
  /** Why the payments cannot be paid now, or null. */
  readonly disabledReason: string | null
  /** They wait for the notary to mend something, not only for a change to be saved. */
  readonly held: boolean
}
