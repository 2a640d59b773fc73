import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'

import { cartRowId } from '@/lib/cart-row-id'
import { payNextItem } from '@/lib/pay-next'

import type { CartSection } from './model'

/** So many clients have their payments in sight; of more clients only the first. A phone has room for fewer. */
const OPEN_MAX = 5
const OPEN_MAX_ON_PHONE = 3
/** The width from which the bar of a sheet stands at its head: 40rem. */
const PHONE_PX = 640

export interface GroupFold {
  readonly isFolded: boolean
  readonly toggle: () => void
}

/**
 * How the payments of each client are folded; null for carts that have room for all. The first client is open, and whose payment has
 * changed, is paid next or was asked for by the address. What is open stays so until the notary folds it: nothing folds while somebody
 * reads it. A client with a payment `inTrouble` is never folded.
 */
export function useFolds(
  sections: readonly CartSection[],
  inTrouble: (itemId: string) => boolean,
): (section: CartSection) => GroupFold | null {
  const wanted = useLocation().hash
  const [next] = useState(payNextItem)
  const [hasMany] = useState(
    () => sections.length > (window.innerWidth < PHONE_PX ? OPEN_MAX_ON_PHONE : OPEN_MAX),
  )
  const [folded, setFolded] = useState<ReadonlyMap<string, boolean>>(new Map())
  const toBeSeen = sections.filter(
    ({ client, items }, place) =>
      !folded.has(client.id) &&
      (place === 0 ||
        items.some(({ id, change }) => change !== null || id === next || cartRowId(id) === wanted)),
  )
  if (hasMany && toBeSeen.length > 0) {
    setFolded(new Map([...folded, ...toBeSeen.map(({ client }) => [client.id, false] as const)]))
  }
  return ({ client: { id }, rows, items }) => {
    if (!hasMany) return null
    // Without payments there is nothing to fold but what can be restored.
    const mayFold = items.length > 0 && !rows.some(({ item }) => inTrouble(item.id))
    const isFolded = mayFold && (folded.get(id) ?? true)
    return { isFolded, toggle: () => setFolded(new Map(folded).set(id, !isFolded)) }
  }
}
