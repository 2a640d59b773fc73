import { contentsOf, type Cart } from '@/api/cart'
import { transfersOf } from '@/lib/cart-transfers'
import { fromHryvnias } from '@/lib/money'
import { sumPartsOf } from '@/lib/sum-parts'

import type { PaidGroup } from './create-order'

/** The group as the cart has it now; as it was, where the cart has none of the client any more. */
export function groupInCart(cart: Cart | undefined, group: PaidGroup): PaidGroup {
  const current = cart?.groups.find(({ client }) => client.id === group.clientId)
  if (current === undefined) return group
  const { items, amount } = current
  return {
    ...group,
    contents: contentsOf(items),
    sum: fromHryvnias(amount),
    parts: sumPartsOf(items),
    transfers: transfersOf(items),
  }
}
