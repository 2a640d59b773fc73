import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'

import { cartQuery, setCartItemCount, type Cart, type CartItem } from '@/api/cart'
import { cartCountQuery } from '@/api/cart-count'

import { parseCount, withCount } from './model'

/** How long the next key of a typed count is waited for before the count is taken. */
const NEXT_KEY_MS = 600

/** The count that the server has confirmed. */
const confirmedCount = (queryClient: QueryClient, itemId: string) =>
  queryClient
    .getQueryData(cartQuery().queryKey)
    ?.groups.flatMap(({ items }) => items)
    .find(({ id }) => id === itemId)?.count

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
  /** Takes a typed count once no key follows, and keeps a text that is none. */
  readonly type: (item: CartItem, text: string) => void
  /** What was typed and is not taken yet, by item. */
  readonly typed: ReadonlyMap<string, string>
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

function withEntry<Value>(
  entries: ReadonlyMap<string, Value>,
  itemId: string,
  value: Value | null,
): ReadonlyMap<string, Value> {
  const next = new Map(entries)
  if (value === null) next.delete(itemId)
  else next.set(itemId, value)
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
  const [typed, setTyped] = useState<ReadonlyMap<string, string>>(new Map())
  const nextKeys = useRef(new Map<string, ReturnType<typeof setTimeout>>())
  const [failures, setFailures] = useState<ReadonlyMap<string, Error>>(new Map())

  const showWanted = () =>
    setWanted(new Map([...countChanges.current].map(([itemId, { wanted: count }]) => [itemId, count])))

  const noteFailure = (itemId: string, failure: Error | null) =>
    setFailures((current) => withEntry(current, itemId, failure))

  const noteTyped = (itemId: string, text: string | null) =>
    setTyped((current) => withEntry(current, itemId, text))

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
    clearTimeout(nextKeys.current.get(item.id))
    noteFailure(item.id, null)
    noteTyped(item.id, null)
    const unconfirmed = countChanges.current.get(item.id)
    if (unconfirmed !== undefined) {
      unconfirmed.wanted = count
      showWanted()
      return
    }
    const begun = { confirmed: confirmedCount(queryClient, item.id) ?? item.count, wanted: count }
    countChanges.current.set(item.id, begun)
    showWanted()
    void deliver(item.id, begun)
  }

  function type(item: CartItem, text: string) {
    noteTyped(item.id, text)
    clearTimeout(nextKeys.current.get(item.id))
    const count = parseCount(text)
    if (count !== null)
      nextKeys.current.set(
        item.id,
        setTimeout(() => change(item, count), NEXT_KEY_MS),
      )
  }

  const shown = new Map(wanted)
  for (const [itemId, text] of typed) {
    const count = parseCount(text)
    if (count !== null) shown.set(itemId, count)
  }

  return {
    over: (cart) => [...shown].reduce((current, [itemId, count]) => withCount(current, itemId, count), cart),
    change,
    type,
    typed,
    busy: new Set(shown.keys()),
    failures,
  }
}
