import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'

import { cartQuery, setCartItemCount, type Cart, type CartItem } from '@/api/cart'
import { cartCountQuery } from '@/api/cart-count'

import { withCount } from './model'

/** The count of one item that is being sent. */
interface Errand {
  /** The last count that the server has confirmed. */
  confirmed: number
  /** The count on the screen. */
  wanted: number
}

export interface ItemCounts {
  /** The cart with the counts that are being sent, whatever was loaded meanwhile. */
  readonly over: (cart: Cart) => Cart
  readonly change: (item: CartItem, count: number) => void
  /** The items whose count is being sent. They cannot be paid yet. */
  readonly busy: ReadonlySet<string>
  /** Why the last change of a count failed, by item. */
  readonly failures: ReadonlyMap<string, Error>
}

/** Puts the count that the server has confirmed into the cached cart. A request that is under way may answer with an older cart: it is repeated. */
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
 * The counts of the cart. A change is shown at once and then sent. Several clicks during a request are sent as one. After a
 * refusal the count returns to the last confirmed one, with the reason.
 */
export function useItemCounts(): ItemCounts {
  const queryClient = useQueryClient()
  const errands = useRef(new Map<string, Errand>())
  const [wanted, setWanted] = useState<ReadonlyMap<string, number>>(new Map())
  const [failures, setFailures] = useState<ReadonlyMap<string, Error>>(new Map())

  const showWanted = () =>
    setWanted(new Map([...errands.current].map(([itemId, errand]) => [itemId, errand.wanted])))

  const noteFailure = (itemId: string, failure: Error | null) =>
    setFailures((current) => withFailure(current, itemId, failure))

  async function deliver(itemId: string, errand: Errand) {
    try {
      while (errand.wanted !== errand.confirmed) {
        const asked = errand.wanted
        // The calls must be sequential: the wanted count may have changed meanwhile.
        // oxlint-disable-next-line no-await-in-loop
        const answer = await setCartItemCount(itemId, asked)
        errand.confirmed = answer.count
        if (errand.wanted === asked) errand.wanted = answer.count
        queryClient.setQueryData(cartCountQuery().queryKey, answer.items_count)
      }
    } catch (failure) {
      noteFailure(itemId, failure instanceof Error ? failure : new Error('count not changed'))
    }
    cacheConfirmed(queryClient, itemId, errand.confirmed)
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
