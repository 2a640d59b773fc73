import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'

import { cartQuery, setCartItemCount, type CartItem } from '@/api/cart'
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
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set())
  const [failures, setFailures] = useState<ReadonlyMap<string, Error>>(new Map())
  const key = cartQuery().queryKey

  const show = (itemId: string, count: number) =>
    queryClient.setQueryData(key, (cart) => cart && withCount(cart, itemId, count))

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
    errands.current.delete(itemId)
    show(itemId, errand.confirmed)
    setBusy(new Set(errands.current.keys()))
  }

  function change(item: CartItem, count: number) {
    noteFailure(item.id, null)
    // An older picture of the cart must not come after the new count.
    void queryClient.cancelQueries({ queryKey: key })
    show(item.id, count)
    const errand = errands.current.get(item.id)
    if (errand !== undefined) {
      errand.wanted = count
      return
    }
    const begun = { confirmed: item.count, wanted: count }
    errands.current.set(item.id, begun)
    setBusy(new Set(errands.current.keys()))
    void deliver(item.id, begun)
  }

  return { change, busy, failures }
}
