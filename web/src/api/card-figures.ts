/** Up to what sum a day saved cards pay without a proof, and from what sum the notary is told of a charge. */
import { queryOptions } from '@tanstack/react-query'
import { api } from './client'
import type { components } from './schema'
import { securityKey } from './security'

export type CardFigures = components['schemas']['CardFigures']

export const cardFiguresQuery = () =>
  queryOptions({
    queryKey: [...securityKey, 'card-figures'],
    queryFn: ({ signal }) => api.GET('/me/card-figures', { signal }),
    staleTime: 2_000,
  })

/** Changes the figures. For larger ones the server asks for a proof. */
export const saveCardFigures = (body: CardFigures) => api.POST('/me/card-figures', { body })
