import { QueryClient } from '@tanstack/react-query'
import { currentLocale, i18n } from '@/i18n/i18n'
import { NetworkFailure, ServerFailure } from './failure'
import { session } from './session'

/** A lost connection or a broken server may be better in a moment; a refusal stays one. */
export function worthAnotherTry(failures: number, error: unknown): boolean {
  return failures < 2 && (error instanceof NetworkFailure || error instanceof ServerFailure)
}

/** What the server has told so far; the shell empties it when it goes, so that the next notary sees nothing of it. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 30_000, retry: worthAnotherTry, networkMode: 'always' },
    mutations: { retry: false, networkMode: 'always' },
  },
})

let before = session.state.status

session.subscribe(({ status }) => {
  // Whoever has signed in now may be somebody else; what is on the screen is asked for anew, the rest forgotten.
  if (status === 'signed-in' && before !== 'signed-in') void queryClient.resetQueries()
  before = status
})

// Names in the answers are in the language they were asked for: after a switch the pages ask again.
let spoken = currentLocale()
i18n.on('change', () => {
  if (currentLocale() === spoken) return
  spoken = currentLocale()
  void queryClient.invalidateQueries()
})
