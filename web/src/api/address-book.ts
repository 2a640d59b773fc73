import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'

import { api } from './client'
import type { components } from './schema'

export type BookClient = components['schemas']['BookClient']
export type OwnRecipient = components['schemas']['OwnRecipient']
export type SaveRecipientRequest = components['schemas']['SaveRecipientRequest']

/** The query keys of the address book. */
export const bookKey = {
  all: ['book'],
  clients: ['book', 'clients'],
  recipients: ['book', 'recipients'],
} as const

/** Clients that are offered while somebody types. */
const OFFERED = 8
/** More than one person has under one code. */
const OF_ONE_CODE = 50
const PAGE_SIZE = 30
/** What was found is found again after so long. */
const FRESH_MS = 60_000

/** A name or a code is personal data, so it is sent in a body. */
const searchClients = (body: components['schemas']['SearchClientsRequest'], signal: AbortSignal) =>
  api.POST('/book/clients/search', { body, signal })

/** The clients whose name or code have a text, the last used first. */
export const offeredClientsQuery = (text: string) =>
  queryOptions({
    queryKey: [...bookKey.clients, 'offered', text],
    queryFn: async ({ signal }) => (await searchClients({ text, limit: OFFERED }, signal)).clients,
    staleTime: FRESH_MS,
    retry: false,
  })

/** The clients with a whole code: several, where it was paid for under several names. */
export const clientsOfCodeQuery = (code: string) =>
  queryOptions({
    queryKey: [...bookKey.clients, 'code', code],
    queryFn: async ({ signal }) => {
      const { clients } = await searchClients({ text: code, limit: OF_ONE_CODE }, signal)
      return clients.filter(({ inn }) => inn === code)
    },
    staleTime: FRESH_MS,
    retry: false,
  })

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
