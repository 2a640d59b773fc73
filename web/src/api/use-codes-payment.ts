import { useMutation } from '@tanstack/react-query'

import { api } from './client'
import { readOrderAnew } from './order-cache'

/** Marks an order as paid by its QR codes, and takes the mark back, or what a statement told of it. A repeated call changes nothing. */
export function useCodesPayment(orderId: string) {
  const params = { path: { id: orderId } }
  const mark = useMutation({
    mutationFn: async (reference: string) => {
      try {
        await api.POST('/order/{id}/codes/paid', { params, body: { reference } })
      } finally {
        // Also after a failure: the order may have been paid meanwhile, and of a lost answer nothing is known.
        await readOrderAnew(orderId)
      }
    },
  })
  const undo = useMutation({
    mutationFn: async () => {
      try {
        await api.POST('/order/{id}/codes/paid/undo', { params })
      } finally {
        await readOrderAnew(orderId)
      }
    },
  })
  const undoCredit = useMutation({
    mutationFn: async () => {
      try {
        await api.POST('/order/{id}/codes/credit/undo', { params })
      } finally {
        await readOrderAnew(orderId)
      }
    },
  })
  return { mark, undo, undoCredit }
}
