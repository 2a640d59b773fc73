import type { QueryClient } from '@tanstack/react-query'

import { bookKey } from '@/api/book-key'
import { cartQuery, lastClientQuery } from '@/api/cart'
import { cartCountQuery } from '@/api/cart-count'
import { showToast } from '@/ui/toast'

/** What is shown to somebody who reads where the payments went. */
const TOAST_MILLISECONDS = 8000

/**
 * Updates what payments that were added at once have changed in the cache, and says where they went. `count`: the items of the cart
 * now.
 */
export function showAdded(queryClient: QueryClient, count: number, text: string): void {
  queryClient.setQueryData(cartCountQuery().queryKey, count)
  void queryClient.invalidateQueries({ queryKey: lastClientQuery().queryKey })
  void queryClient.invalidateQueries({ queryKey: bookKey.clients })
  // The cart is not shown as it was before: its first button would pay for others.
  queryClient.removeQueries({ queryKey: cartQuery().queryKey })
  showToast({ tone: 'success', text, lasts: TOAST_MILLISECONDS })
}
