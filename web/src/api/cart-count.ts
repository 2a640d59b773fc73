import { queryOptions } from '@tanstack/react-query'
import { api } from './client'

/**
 * How many items the cart has, for the badge. Every call that changes the cart answers the new number: put it here with
 * `queryClient.setQueryData(cartCountQuery().queryKey, …)` instead of asking again.
 */
export const cartCountQuery = () =>
  queryOptions({
    queryKey: ['cart', 'count'],
    queryFn: async ({ signal }) => (await api.GET('/cart/items/count', { signal })).items_count,
  })
