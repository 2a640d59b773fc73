import { useMutation, useQueryClient } from '@tanstack/react-query'

import { forgetInTab, keepInTab, keptInTab } from '@/lib/tab-storage'

import { cartQuery } from './cart'
import { cartCountQuery } from './cart-count'
import { api } from './client'
import { isDefinite } from './definite'
import { Refusal } from './failure'
import { readOrderAnew } from './order-cache'
import { userQuery } from './user'

interface Repetition {
  /** Nobody paid by the QR codes that were given out. */
  readonly despiteCodes: boolean
}

/** The keys of presses without an answer, by order, where the storage of the tab is closed. */
const unstored = new Map<string, string>()

/** The key of the presses without an answer. It outlasts a reload, so that the next press adds nothing twice. */
function openKeyOf(orderId: string, notaryId: string) {
  const name = `draft repeat ${orderId}`
  return {
    get: () => {
      const kept = keptInTab(name, notaryId) ?? unstored.get(orderId)
      return typeof kept === 'string' ? kept : null
    },
    set: (key: string | null) => {
      unstored.delete(orderId)
      if (key === null) forgetInTab(name)
      else if (!keepInTab(name, notaryId, key)) unstored.set(orderId, key)
    },
  }
}

/** Puts all payments of an order into the cart again. Until an answer comes each press has the same key, so that it adds once. */
export function useRepeatOrder(orderId: string) {
  const queryClient = useQueryClient()
  const open = openKeyOf(orderId, queryClient.getQueryData(userQuery().queryKey)?.id ?? '')
  const repeat = useMutation({
    mutationFn: async ({ despiteCodes }: Repetition) => {
      const waiting = open.get()
      const key = waiting ?? crypto.randomUUID()
      open.set(key)
      try {
        const added = await api.POST('/order/{id}/repeat', {
          params: { path: { id: orderId } },
          body: { despite_codes: despiteCodes },
          headers: { 'Idempotency-Key': key },
        })
        open.set(null)
        return added
      } catch (failure) {
        // A passing refusal settles its own press; an earlier one stays without an answer.
        if (isDefinite(failure) || (waiting === null && failure instanceof Refusal)) open.set(null)
        throw failure
      }
    },
    onSuccess: ({ items_count: count }) => {
      queryClient.setQueryData(cartCountQuery().queryKey, count)
      void queryClient.invalidateQueries({ queryKey: cartQuery().queryKey })
    },
    onError: (failure) => {
      // What the page has of the order is outdated: QR codes were given out in another window, for instance.
      if (failure instanceof Refusal && failure.status === 409) void readOrderAnew(orderId)
      void queryClient.invalidateQueries({ queryKey: cartQuery().queryKey })
      void queryClient.invalidateQueries({ queryKey: cartCountQuery().queryKey })
    },
  })
  return {
    ...repeat,
    /** Whether the payments may be in the cart although the last press failed. */
    isUnknown: repeat.isError && open.get() !== null,
  }
}
