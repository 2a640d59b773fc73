import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { cartQuery } from './cart'
import { cartCountQuery } from './cart-count'
import { api } from './client'

/** Puts all payments of an order into the cart again. Until an answer comes each press has the same key, so that it adds once. */
export function useRepeatOrder(orderId: string) {
  const queryClient = useQueryClient()
  const [key, setKey] = useState(() => crypto.randomUUID())
  return useMutation({
    mutationFn: () =>
      api.POST('/order/{id}/repeat', {
        params: { path: { id: orderId } },
        headers: { 'Idempotency-Key': key },
      }),
    onSuccess: ({ items_count: count }) => {
      setKey(crypto.randomUUID())
      queryClient.setQueryData(cartCountQuery().queryKey, count)
      void queryClient.invalidateQueries({ queryKey: cartQuery().queryKey })
    },
  })
}
