import { QueryClient } from '@tanstack/react-query'
import { currentLocale, i18n } from '@/i18n/i18n'
import { NetworkFailure, ServerFailure } from './failure'
import { session } from './session'

/**
 * Network and server failures are worth a retry, refusals are not. A server that is away for a while (beyond 501) gets two more: with the
 * growing pauses 15 seconds, as long as a database takes to change its leader.
 */
export function worthAnotherTry(failures: number, error: unknown): boolean {
  if (error instanceof NetworkFailure) return failures < 2
  return error instanceof ServerFailure && failures < (error.status > 501 ? 4 : 2)
}

/** The cache of server data. The shell clears it on unmount, so that the next notary sees nothing of it. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 30_000, retry: worthAnotherTry, networkMode: 'always' },
    mutations: { retry: false, networkMode: 'always' },
  },
})

let before = session.state.status

session.subscribe(({ status }) => {
  // Another notary may have signed in: active queries are loaded again, the others are dropped.
  if (status === 'signed-in' && before !== 'signed-in') void queryClient.resetQueries()
  before = status
})

// Answers are localized, so a change of the language invalidates them.
let spoken = currentLocale()
i18n.on('change', () => {
  if (currentLocale() === spoken) return
  spoken = currentLocale()
  void queryClient.invalidateQueries()
})
