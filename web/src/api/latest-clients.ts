import { queryOptions } from '@tanstack/react-query'

import { api } from './client'
import type { components } from './schema'

export type KnownClient = components['schemas']['LastClientData']

/** The clients of the latest payments, the latest first. */
export const latestClientsQuery = () =>
  queryOptions({
    queryKey: ['cart', 'clients'],
    queryFn: async ({ signal }) => (await api.GET('/cart/clients', { signal })).clients,
  })
