import { queryOptions } from '@tanstack/react-query'
import { api } from './client'

/**
 * The number of items in the cart. Every call that changes the cart returns the new number: store it with
 * `queryClient.setQueryData(cartCountQuery().queryKey, …)` instead of asking again.
 */
export const cartCountQuery = () =>
  queryOptions({
    queryKey: ['cart', 'count'],
    queryFn: async ({ signal }) => (await api.GET('/cart/items/count', { signal })).items_count,
  })
