import { useMutation, useQueryClient } from '@tanstack/react-query'

import { shownCodesKey } from '@/lib/order-file'

import { cartQuery } from './cart'
import { cartCountQuery } from './cart-count'
import { api } from './client'
import { readOrderAnew } from './order-cache'

export interface Cancellation {
  /** Whether the payments go back to the cart. */
  readonly returnItems: boolean
  /** Nobody paid by the QR codes that were given out. */
  readonly despiteCodes: boolean
}

/** Cancels an unpaid order. The server closes its payment page first. A repeated call changes nothing. */
export function useCancelOrder(orderId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async ({ returnItems, despiteCodes }: Cancellation) => {
      try {
        await api.POST('/order/{id}/cancel', {
          params: { path: { id: orderId } },
          body: { return_items: returnItems, despite_codes: despiteCodes },
        })
      } finally {
        // Also after a failure: the order may have been paid meanwhile, and of a lost answer nothing is known.
        await readOrderAnew(orderId)
      }
    },
    onSuccess: () => queryClient.removeQueries({ queryKey: shownCodesKey(orderId) }),
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: cartQuery().queryKey })
      void queryClient.invalidateQueries({ queryKey: cartCountQuery().queryKey })
    },
  })
}
