import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'

import { cartQuery, setCartItemCount, type Cart, type CartItem } from '@/api/cart'
import { cartCountQuery } from '@/api/cart-count'

import { withCount } from './model'

/** A change of one item's count that the server has not confirmed. */
interface CountChange {
  /** The last count that the server has confirmed. */
  confirmed: number
  /** The count on the screen. */
  wanted: number
}

export interface ItemCounts {
  /** The cart with the counts that the notary has chosen, also before the server has confirmed them. */
  readonly over: (cart: Cart) => Cart
  readonly change: (item: CartItem, count: number) => void
  /** The items whose count is being sent. They cannot be paid yet. */
  readonly busy: ReadonlySet<string>
  /** Why the last change of a count failed, by item. */
  readonly failures: ReadonlyMap<string, Error>
}

/** Puts the confirmed count into the cached cart. A read in progress may be older, so the cart is read again. */
function cacheConfirmed(queryClient: QueryClient, itemId: string, count: number): void {
  const key = cartQuery().queryKey
  const reading = queryClient.isFetching({ queryKey: key }) > 0
  void queryClient.cancelQueries({ queryKey: key })
  queryClient.setQueryData(key, (cart) => cart && withCount(cart, itemId, count))
  if (reading) void queryClient.invalidateQueries({ queryKey: key })
}

function withFailure(
  failures: ReadonlyMap<string, Error>,
  itemId: string,
  failure: Error | null,
): ReadonlyMap<string, Error> {
  const next = new Map(failures)
  if (failure === null) next.delete(itemId)
  else next.set(itemId, failure)
  return next
}

/**
 * Shows a new count at once and sends it afterwards. Clicks made meanwhile are sent as one. A refused count returns to the last
 * confirmed one, with the reason.
 */
export function useItemCounts(): ItemCounts {
  const queryClient = useQueryClient()
  const countChanges = useRef(new Map<string, CountChange>())
  const [wanted, setWanted] = useState<ReadonlyMap<string, number>>(new Map())
  const [failures, setFailures] = useState<ReadonlyMap<string, Error>>(new Map())

  const showWanted = () =>
    setWanted(new Map([...countChanges.current].map(([itemId, { wanted: count }]) => [itemId, count])))

  const noteFailure = (itemId: string, failure: Error | null) =>
    setFailures((current) => withFailure(current, itemId, failure))

  async function deliver(itemId: string, countChange: CountChange) {
    try {
      while (countChange.wanted !== countChange.confirmed) {
        const asked = countChange.wanted
        // The calls must be sequential: the wanted count may have changed meanwhile.
        // oxlint-disable-next-line no-await-in-loop
        const answer = await setCartItemCount(itemId, asked)
        countChange.confirmed = answer.count
        if (countChange.wanted === asked) countChange.wanted = answer.count
        queryClient.setQueryData(cartCountQuery().queryKey, answer.items_count)
      }
    } catch (failure) {
      noteFailure(itemId, failure instanceof Error ? failure : new Error('count not changed'))
    }
    cacheConfirmed(queryClient, itemId, countChange.confirmed)
    countChanges.current.delete(itemId)
    showWanted()
  }

  function change(item: CartItem, count: number) {
    noteFailure(item.id, null)
    const unconfirmed = countChanges.current.get(item.id)
    if (unconfirmed !== undefined) {
      unconfirmed.wanted = count
      showWanted()
      return
    }
    const begun = { confirmed: item.count, wanted: count }
    countChanges.current.set(item.id, begun)
    showWanted()
    void deliver(item.id, begun)
  }

  return {
    over: (cart) => [...wanted].reduce((current, [itemId, count]) => withCount(current, itemId, count), cart),
    change,
    busy: new Set(wanted.keys()),
    failures,
  }
}
