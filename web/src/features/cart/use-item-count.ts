import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'

import { cartQuery, setCartItemCount, type Cart, type CartItem } from '@/api/cart'
import { cartCountQuery } from '@/api/cart-count'

import { withCount } from './model'

/** One item's count on its way to the server. */
interface Errand {
  /** What the server has confirmed last. */
  confirmed: number
  /** What the notary wants by now. */
  wanted: number
}

export interface ItemCounts {
  /** The cart as the notary wants it: counts on their way stand over whatever is read of the server meanwhile. */
  readonly over: (cart: Cart) => Cart
  readonly change: (item: CartItem, count: number) => void
  /** Items whose count is still on its way: they cannot be paid yet. */
  readonly busy: ReadonlySet<string>
  /** Why a count went back, by item. */
  readonly failures: ReadonlyMap<string, Error>
}

/**
 * Counts that change at once and follow to the server: clicks made meanwhile are sent as one, and a refused count goes
 * back to the last one the server knows, with the reason.
 */
export function useItemCounts(): ItemCounts {
  const queryClient = useQueryClient()
  const errands = useRef(new Map<string, Errand>())
  const [wanted, setWanted] = useState<ReadonlyMap<string, number>>(new Map())
  const [failures, setFailures] = useState<ReadonlyMap<string, Error>>(new Map())
  const key = cartQuery().queryKey

  const showWanted = () =>
    setWanted(new Map([...errands.current].map(([itemId, errand]) => [itemId, errand.wanted])))

  /** What the server has confirmed takes its place in the cart. A picture that is being taken may be an older one: it is taken anew. */
  function settle(itemId: string, count: number) {
    const reading = queryClient.isFetching({ queryKey: key }) > 0
    void queryClient.cancelQueries({ queryKey: key })
    queryClient.setQueryData(key, (cart) => cart && withCount(cart, itemId, count))
    if (reading) void queryClient.invalidateQueries({ queryKey: key })
  }

  const noteFailure = (itemId: string, failure: Error | null) =>
    setFailures((current) => {
      const next = new Map(current)
      if (failure === null) next.delete(itemId)
      else next.set(itemId, failure)
      return next
    })

  async function deliver(itemId: string, errand: Errand) {
    try {
      while (errand.wanted !== errand.confirmed) {
        const asked = errand.wanted
        // One call after the other: the next one may be another number by then.
        // oxlint-disable-next-line no-await-in-loop
        const answer = await setCartItemCount(itemId, asked)
        errand.confirmed = answer.count
        if (errand.wanted === asked) errand.wanted = answer.count
        queryClient.setQueryData(cartCountQuery().queryKey, answer.items_count)
      }
    } catch (failure) {
      noteFailure(itemId, failure instanceof Error ? failure : new Error('count not changed'))
    }
    settle(itemId, errand.confirmed)
    errands.current.delete(itemId)
    showWanted()
  }

  function change(item: CartItem, count: number) {
    noteFailure(item.id, null)
    const errand = errands.current.get(item.id)
    if (errand !== undefined) {
      errand.wanted = count
      showWanted()
      return
    }
    const begun = { confirmed: item.count, wanted: count }
    errands.current.set(item.id, begun)
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
