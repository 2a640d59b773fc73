import { queryOptions } from '@tanstack/react-query'

import { api } from './client'
import { ordersKey, type UnfinishedOrder } from './orders'

/** It begins as the keys of all orders do, so that what changes an order reads it again. */
export const unfinishedKey = [...ordersKey.all, 'unfinished'] as const

/**
 * The orders that wait for the payer, and those of the last seven days that were not paid and not given up, the newest first. No page
 * waits for a second try.
 */
export const unfinishedQuery = () =>
  queryOptions({
    queryKey: unfinishedKey,
    queryFn: async ({ signal }) => (await api.GET('/order/unfinished', { signal })).orders,
    retry: false,
    retryOnMount: false,
  })

/** Whether the notary is to do something about an order. The charge of another may have gone through, and its bank answers. */
export const asksNotary = ({ payment_state: state }: UnfinishedOrder) => state !== 'unknown'
