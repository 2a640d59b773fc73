import type { components } from '@/api/schema'

/** A transfer that the payment of an item in the cart would make. */
export type CartTransfer = components['schemas']['CartTransfer']

/** The transfers that the payment of items would make. */
export const transfersOf = (
  items: readonly { readonly transfers: readonly CartTransfer[] }[],
): readonly CartTransfer[] => items.flatMap(({ transfers }) => transfers)
