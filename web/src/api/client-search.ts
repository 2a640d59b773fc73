import { queryOptions } from '@tanstack/react-query'

import { bookKey } from './book-key'
import { api } from './client'
import type { components } from './schema'

export type BookClient = components['schemas']['BookClient']

/** Clients that are offered while somebody types. */
const OFFERED = 8
/** More than one person has under one code. */
const OF_ONE_CODE = 50
/** What was found is found again after so long. */
const FRESH_MS = 60_000

/** A name or a code is personal data, so it is sent in a body. */
export const searchClients = (body: components['schemas']['SearchClientsRequest'], signal: AbortSignal) =>
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
