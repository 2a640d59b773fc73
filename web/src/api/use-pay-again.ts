import { useMutation, useQueryClient } from '@tanstack/react-query'

import { externalUrl } from '@/lib/external-url'
import { leavePage } from '@/lib/leave-page'
import { openWaitingTab, type WaitingTab } from '@/lib/new-tab'
import { shownCodesKey } from '@/lib/order-file'
import { beginOwnPayment } from '@/lib/own-payments'

import { cartQuery } from './cart'
import { cartCountQuery } from './cart-count'
import { Refusal } from './failure'
import { freshPayLink, ordersKey } from './orders'

function isReturn(failure: unknown): boolean {
  return failure instanceof Refusal && failure.key === 'order_returned_to_cart'
}

function isAboutCodes(failure: unknown): boolean {
  return failure instanceof Refusal && failure.key === 'payment_codes_given'
}

export interface PayAgain {
  /** Must be called in the click handler: browsers open a tab only then. */
  readonly start: () => void
  readonly pending: boolean
  readonly failure: Error | null
  /** Whether the last press has been answered, with the bank's page or a failure. */
  readonly answered: boolean
  /**
   * The order was closed and its payments are in the cart again, because it is too old or a fee or an account has
   * changed.
   */
  readonly returnedToCart: boolean
}

/** Opens a new payment link of an order in a new tab, or in this one if the browser blocks new tabs. */
export function usePayAgain(orderId: string): PayAgain {
  const queryClient = useQueryClient()
  const link = useMutation({
    mutationFn: async (tab: WaitingTab) => {
      beginOwnPayment(orderId)
      // The refusal has said what QR codes mean; the second press says that nobody paid by them.
      const despiteCodes = isAboutCodes(link.error)
      // A payment page may be open from here on, even if the answer is lost.
      if (despiteCodes) void queryClient.resetQueries({ queryKey: shownCodesKey(orderId) })
      try {
        const address = await freshPayLink(orderId, despiteCodes)
        if (tab.go(address)) return
        const here = externalUrl(address)
        if (here !== null) leavePage(here)
      } catch (failure) {
        tab.close()
        throw failure
      }
    },
    // The order waits for its payer again.
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ordersKey.all }),
    onError: (failure) => {
      // What the page shows of the order is outdated.
      if (failure instanceof Refusal && failure.status === 409) {
        void queryClient.invalidateQueries({ queryKey: ordersKey.all })
      }
      if (isReturn(failure)) {
        void queryClient.invalidateQueries({ queryKey: cartQuery().queryKey })
        void queryClient.invalidateQueries({ queryKey: cartCountQuery().queryKey })
      }
    },
  })
  return {
    start: () => {
      if (!link.isPending) link.mutate(openWaitingTab())
    },
    pending: link.isPending,
    failure: link.error,
    answered: link.isSuccess || link.isError,
    returnedToCart: isReturn(link.error),
  }
}
