import { useMutation, useQueryClient } from '@tanstack/react-query'

import { externalUrl } from '@/lib/external-url'
import { openWaitingTab, type WaitingTab } from '@/lib/new-tab'

import { freshPayLink } from './orders'

export interface PayAgain {
  /** To be called by the click itself: a browser opens a tab only then. */
  readonly start: () => void
  readonly pending: boolean
  readonly failure: Error | null
  /** Where the browser let no tab be opened: the address for a link to press. */
  readonly address: string | null
}

/** Opens a link that can be paid now in a new tab; an older link of the order is cancelled by the server first. */
export function usePayAgain(orderId: string): PayAgain {
  const queryClient = useQueryClient()
  const link = useMutation({
    mutationFn: async (tab: WaitingTab) => {
      try {
        const address = await freshPayLink(orderId)
        return tab.go(address) ? null : externalUrl(address)
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
    address: link.data ?? null,
  }
}
