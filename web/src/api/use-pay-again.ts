import { useMutation, useQueryClient } from '@tanstack/react-query'

import { externalUrl } from '@/lib/external-url'
import { leavePage } from '@/lib/leave-page'
import { openWaitingTab, type WaitingTab } from '@/lib/new-tab'

import { freshPayLink } from './orders'

export interface PayAgain {
  /** To be called by the click itself: a browser opens a tab only then. */
  readonly start: () => void
  readonly pending: boolean
  readonly failure: Error | null
}

/**
 * Opens a link that can be paid now in a new tab, or in this one where the browser lets no tab be opened: the bank leads
 * back to the order. An older link of the order is cancelled by the server first.
 */
export function usePayAgain(orderId: string): PayAgain {
  const queryClient = useQueryClient()
  const link = useMutation({
    mutationFn: async (tab: WaitingTab) => {
      try {
        const address = await freshPayLink(orderId)
        if (tab.go(address)) return
        const here = externalUrl(address)
        if (here !== null) leavePage(here)
      } catch (failure) {
        tab.close()
        throw failure
      }
    },
    // The order waits for its payer again.
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['orders'] }),
  })
  return {
    start: () => {
      if (!link.isPending) link.mutate(openWaitingTab())
    },
    pending: link.isPending,
    failure: link.error,
  }
}
