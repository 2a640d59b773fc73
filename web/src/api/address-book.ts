import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'

import { api } from './client'
import { bookKey } from './book-key'
import { searchClients } from './client-search'
import type { components } from './schema'

export type OwnRecipient = components['schemas']['OwnRecipient']
export type SaveRecipientRequest = components['schemas']['SaveRecipientRequest']

const PAGE_SIZE = 30
/** What was loaded is loaded again after so long. */
const FRESH_MS = 60_000

/** The clients of the address book, page by page. */
export const clientPagesQuery = (text: string) =>
  infiniteQueryOptions({
    queryKey: [...bookKey.clients, 'pages', text],
    queryFn: ({ pageParam: before, signal }) =>
      searchClients({ text, limit: PAGE_SIZE, ...(before !== null && { before }) }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  })

/** Takes a client out of the address book. Orders and the cart keep the client. */
export const deleteClient = (id: string) => api.POST('/book/clients/delete', { body: { client_id: id } })

export const ownRecipientsQuery = () =>
  queryOptions({
    queryKey: bookKey.recipients,
    queryFn: async ({ signal }) => (await api.GET('/book/recipients', { signal })).recipients,
    staleTime: FRESH_MS,
  })

/** Saves a recipient; with an id in place of the saved one. */
export const saveRecipient = async (body: SaveRecipientRequest) =>
  (await api.POST('/book/recipients/save', { body })).recipient

export const deleteRecipient = (id: string) =>
  api.POST('/book/recipients/delete', { body: { recipient_id: id } })
