import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, type RefObject } from 'react'

import { cartQuery } from '@/api/cart'
import { cartCountQuery } from '@/api/cart-count'
import { ordersKey } from '@/api/orders'
import type { SavedCard } from '@/api/saved-cards'

import type { PaidGroup } from './create-order'
import { lookUpRun } from './look-up-run'
import { isUnknown, keptRow, mayStart, waitingRow, type PayAllRow } from './pay-all-rows'
import { forgetRun, keepRun, keptRun } from './pay-all-run'
import { payRow } from './pay-row'

export interface PayAll {
  /** Null while an interrupted payment is looked up. */
  readonly rows: readonly PayAllRow[] | null
  readonly running: boolean
  /** Whether some outcome is unknown, so that nothing may go on. */
  readonly unknown: boolean
  readonly start: (card: SavedCard) => Promise<void>
  readonly end: () => void
}

/**
 * Pays several clients one after the other with one saved card, an order each. It goes on only after a paid order; a decline, a refusal, a
 * confirmation, above all an unknown outcome, and leaving the page stop it. `groups` is empty after a reload.
 */
export function usePayAll(groups: readonly PaidGroup[], notaryId: string): PayAll {
  const queryClient = useQueryClient()
  const [rows, setRows] = useState<readonly PayAllRow[] | null>(
    groups.length === 0 ? null : groups.map(waitingRow),
  )
  const [running, setRunning] = useState(false)
  const busy = useRef(false)
  const left = useLeft()

  useEffect(() => {
    if (groups.length > 0) return undefined
    let isOver = false
    const kept = keptRun(notaryId) ?? []
    void lookUpRun(kept, queryClient).then((found) => {
      if (!isOver) setRows(found)
    })
    return () => {
      isOver = true
    }
    // Looked up once, when the page is opened again.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])

  async function start(card: SavedCard) {
    if (busy.current || rows === null) return
    busy.current = true
    setRunning(true)
    let current = rows
    const put = (changed: PayAllRow) => {
      // The cart may be open anew, and what is kept then belongs to that page: it looks the orders up.
      if (left.current) return
      current = current.map((row) => (row.clientId === changed.clientId ? changed : row))
      setRows(current)
      keepRun(notaryId, current.map(keptRow))
    }
    for (const row of rows.filter(mayStart)) {
      if (row.group === null) continue
      // One order after the other.
      // oxlint-disable-next-line no-await-in-loop
      const { state } = await payRow(row, row.group, card, put)
      // Whoever has left does not see what is charged: the rest waits in the cart for a new agreement.
      if (left.current || state.kind !== 'paid') break
    }
    busy.current = false
    setRunning(false)
    void queryClient.invalidateQueries({ queryKey: cartQuery().queryKey })
    void queryClient.invalidateQueries({ queryKey: cartCountQuery().queryKey })
    void queryClient.invalidateQueries({ queryKey: ordersKey.all })
  }

  return {
    rows,
    running,
    unknown: rows?.some(isUnknown) === true,
    start,
    end: () => {
      forgetRun()
      void queryClient.invalidateQueries({ queryKey: cartQuery().queryKey })
    },
  }
}

/** Returns a ref that says whether the page was left. */
function useLeft(): RefObject<boolean> {
  const left = useRef(false)
  useEffect(() => {
    left.current = false
    return () => {
      left.current = true
    }
  }, [])
  return left
}
