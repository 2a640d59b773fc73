import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { cartQuery, deleteCartItem, restoreCartItem } from '@/api/cart'
import { cartCountQuery } from '@/api/cart-count'

import { placeOf, withoutItem, type RemovedItem } from './model'

export interface Removal {
  readonly removed: readonly RemovedItem[]
  readonly remove: (itemId: string) => Promise<boolean>
  /** Returns whether the item was restored. */
  readonly restore: (itemId: string) => Promise<boolean>
  /** The items that are being deleted or restored. */
  readonly busy: ReadonlySet<string>
  /** Why the last action on an item failed, by item. */
  readonly failures: ReadonlyMap<string, Error>
}

/** Deletes and restores items. A deleted item keeps its place, where its undo is shown. */
export function useRemoval(): Removal {
  const queryClient = useQueryClient()
  const [removed, setRemoved] = useState<readonly RemovedItem[]>([])
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set())
  const [failures, setFailures] = useState<ReadonlyMap<string, Error>>(new Map())
  const key = cartQuery().queryKey

  async function carryOut(itemId: string, work: () => Promise<void>): Promise<boolean> {
    if (busy.has(itemId)) return false
    let done = true
    setBusy((current) => new Set(current).add(itemId))
    setFailures((current) => new Map([...current].filter(([id]) => id !== itemId)))
    try {
      await work()
    } catch (failure) {
      done = false
      setFailures((current) =>
        new Map(current).set(itemId, failure instanceof Error ? failure : new Error('item not changed')),
      )
    }
    setBusy((current) => new Set([...current].filter((id) => id !== itemId)))
    return done
  }

  const remove = (itemId: string) =>
    carryOut(itemId, async () => {
      const cart = queryClient.getQueryData(key)
      const place = cart === undefined ? null : placeOf(cart, itemId)
      const { items_count: count } = await deleteCartItem(itemId)
      await queryClient.cancelQueries({ queryKey: key })
      if (place !== null) setRemoved((current) => [...current, place])
      queryClient.setQueryData(key, (current) => current && withoutItem(current, itemId))
      queryClient.setQueryData(cartCountQuery().queryKey, count)
    })

  const restore = (itemId: string) =>
    carryOut(itemId, async () => {
      const { items_count: count } = await restoreCartItem(itemId)
      queryClient.setQueryData(cartCountQuery().queryKey, count)
      await queryClient.invalidateQueries({ queryKey: key })
      setRemoved((current) => current.filter(({ item }) => item.id !== itemId))
    })

  return { removed, remove, restore, busy, failures }
}
