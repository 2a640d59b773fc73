import { useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'

import { cartQuery, deleteCartItem } from '@/api/cart'
import { cartCountQuery } from '@/api/cart-count'
import type { PutBack } from '@/forms/given-back'
import { focusHeading } from '@/ui/focus-heading'
import { showToast } from '@/ui/toast'

export interface UndoOptions {
  /** The form is empty, so that the payment can go back into it. */
  readonly isFree: boolean
  /** Returns what puts the payment back, as the form is when the undo is asked for. */
  readonly putBack: () => () => PutBack
  readonly onUndone: (itemId: string) => void
}

/** Removes a payment that has just been added from the cart, and puts it back into the form where that is empty. */
export function useUndo(itemId: string, { isFree, putBack, onUndone }: UndoOptions) {
  const { t } = useLingui()
  const queryClient = useQueryClient()
  const undo = useMutation({
    mutationFn: (_back: () => PutBack) => deleteCartItem(itemId),
    onSuccess: ({ items_count: count }, back) => {
      onUndone(itemId)
      if (isFree && back() === 'shown') {
        // The notice with the pressed button is gone, so the heading takes the focus.
        focusHeading()
      }
      queryClient.setQueryData(cartCountQuery().queryKey, count)
      void queryClient.invalidateQueries({ queryKey: cartQuery().queryKey })
      showToast({
        text: isFree ? t`Платіж видалено з кошика, дані повернено до форми` : t`Платіж видалено з кошика`,
      })
    },
  })
  return { ...undo, start: () => undo.mutate(putBack()) }
}
