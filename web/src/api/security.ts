/** Where the notary is signed in, and what happened to the account. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api } from './client'
import { Refusal } from './failure'
import type { components } from './schema'

export type SignedInSession = components['schemas']['SignedInSession']
export type SecurityEvent = components['schemas']['SecurityEvent']
export type SecurityEventKind = components['schemas']['SecurityEventKind']

/** The query keys of the lists: what ends a session or changes a passkey changes several. */
export const securityKey = ['security'] as const

/** The sessions that have not ended, the last used first. */
export const sessionsQuery = () =>
  queryOptions({
    queryKey: [...securityKey, 'sessions'],
    queryFn: ({ signal }) => api.GET('/me/sessions', { signal }),
    select: ({ sessions }) => sessions,
    // Another device may have signed in since.
    staleTime: 2_000,
    refetchOnWindowFocus: 'always',
  })

const PAGE_SIZE = 20

/** What happened to the account, the newest first. */
export const securityEventsQuery = () =>
  infiniteQueryOptions({
    queryKey: [...securityKey, 'events'],
    queryFn: ({ pageParam, signal }) =>
      api.GET('/me/security-events', {
        params: { query: { limit: PAGE_SIZE, ...(pageParam !== null && { before: pageParam }) } },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    staleTime: 2_000,
  })

/** Ends a session. One that has ended meanwhile is no failure. */
export async function endSession(id: string): Promise<void> {
  try {
    await api.POST('/me/sessions/{id}/end', { params: { path: { id } } })
  } catch (failure) {
    if (!(failure instanceof Refusal && failure.key === 'session_unknown')) throw failure
  }
}

/** Ends all sessions but this one. Returns their number. */
export const endOtherSessions = async () => (await api.POST('/me/sessions/end-others')).ended
