import { useCallback, useEffect, useRef, useState } from 'react'

import type { Order } from '@/api/orders'

/** Receipts of so many orders are downloaded at once (the server's limit). */
export const CHOSEN_MAX = 200

/** Only paid orders have receipts, so only they are chosen. */
export const hasReceipts = ({ status }: Pick<Order, 'status'>): boolean => status === 'paid'

const none: ReadonlySet<string> = new Set()

/** The chosen orders, by id. They stay chosen when another filter shows others. */
export function useChosen(shown: readonly Order[]) {
  const [chosen, setChosen] = useState(none)
  /** The order that was chosen last: a range begins there. */
  const anchor = useRef<string | null>(null)
  const list = useRef(shown)
  useEffect(() => {
    list.current = shown
  })
  const choose = useCallback((id: string, isChosen: boolean, range: boolean) => {
    const ids = list.current.filter(hasReceipts).map((order) => order.id)
    const [from, to] = [ids.indexOf(anchor.current ?? ''), ids.indexOf(id)].toSorted((a, b) => a - b)
    const meant =
      range && from !== undefined && to !== undefined && from >= 0 ? ids.slice(from, to + 1) : [id]
    anchor.current = id
    setChosen((now) => {
      const next = new Set(now)
      for (const each of meant) {
        if (isChosen) next.add(each)
        else next.delete(each)
      }
      return next
    })
  }, [])
  const chooseAll = useCallback((ids: readonly string[]) => {
    anchor.current = null
    setChosen(new Set(ids))
  }, [])
  return { chosen, choose, chooseAll }
}
