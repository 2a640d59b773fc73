import { queryOptions } from '@tanstack/react-query'

import { api } from './client'
import { ordersKey } from './orders'
import type { components } from './schema'

export type OrderDetails = components['schemas']['OrderDetails']
export type TimelineEntry = components['schemas']['TimelineEntry']

/** Everything that is known of an order. It is below the single orders, so that whoever reads those anew reads it, too. */
export const orderDetailsQuery = (id: string) =>
  queryOptions({
    queryKey: [...ordersKey.pages, id, 'details'],
    queryFn: ({ signal }) => api.GET('/order/{id}/details', { params: { path: { id } }, signal }),
    staleTime: 2_000,
  })
