import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { cartQuery } from './cart'
import { cartCountQuery } from './cart-count'
import { api } from './client'
import { Refusal } from './failure'
import { readOrderAnew } from './order-cache'

interface Repetition {
  /** Nobody paid by the QR codes that were given out. */
  readonly despiteCodes: boolean
}

/** Puts all payments of an order into the cart again. Until an answer comes each press has the same key, so that it adds once. */
export function useRepeatOrder(orderId: string) {
  const queryClient = useQueryClient()
  const [key, setKey] = useState(() => crypto.randomUUID())
  return useMutation({
    mutationFn: ({ despiteCodes }: Repetition) =>
      api.POST('/order/{id}/repeat', {
        params: { path: { id: orderId } },
        body: { despite_codes: despiteCodes },
        headers: { 'Idempotency-Key': key },
      }),
    onSuccess: ({ items_count: count }) => {
      setKey(crypto.randomUUID())
      queryClient.setQueryData(cartCountQuery().queryKey, count)
      void queryClient.invalidateQueries({ queryKey: cartQuery().queryKey })
    },
    // What the page has of the order is outdated: QR codes were given out in another window, for instance.
    onError: (failure) => {
      if (failure instanceof Refusal && failure.status === 409) void readOrderAnew(orderId)
    },
  })
}
