import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'

import { cartRowId } from '@/lib/cart-row-id'

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
 * changed or was asked for by the address. Decided as the page is opened, so that nothing folds while somebody reads it.
 */
export function useFolds(sections: readonly CartSection[]): (section: CartSection) => GroupFold | null {
  const wanted = useLocation().hash
  const [hasMany] = useState(
    () => sections.length > (window.innerWidth < PHONE_PX ? OPEN_MAX_ON_PHONE : OPEN_MAX),
  )
  const [chosen, choose] = useState<ReadonlyMap<string, boolean>>(new Map())
  return (section) => {
    if (!hasMany) return null
    const { id } = section.client
    const isFolded =
      chosen.get(id) ??
      (section !== sections[0] &&
        section.items.every((item) => item.change === null && cartRowId(item.id) !== wanted))
    return { isFolded, toggle: () => choose(new Map(chosen).set(id, !isFolded)) }
  }
}
