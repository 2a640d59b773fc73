import { queryOptions } from '@tanstack/react-query'
import type { Locale } from '@/lib/locale'
import { api } from './client'
import type { components } from './schema'

export type SavedCard = components['schemas']['SavedCard']

/** The cards that a payment can be charged to, and which of them paid last. */
export const savedCardsQuery = () =>
  queryOptions({
    queryKey: ['saved-cards'],
    queryFn: ({ signal }) => api.GET('/order/token/get-all-tokens-by-phone', { signal }),
  })

/** The address of the payment service's page for saving and removing cards. It can be opened once, for a short time. */
export async function loadCardsAddress(language: Locale, signal: AbortSignal): Promise<string> {
  const query = { language }
  return (await api.GET('/tokenization/cards', { params: { query }, signal })).cards.url
}
