import { session } from '@/api/session'
import { returnPath } from './guards'
import type { makeRouter } from './router'

type Router = ReturnType<typeof makeRouter>

/**
 * Leads to where the session's state belongs, whoever has changed it: this page, a call that was refused, or another tab.
 * A page that signs somebody in or out tells only the session.
 */
export function followSession(router: Router): () => void {
  let before = session.state.status
  return session.subscribe(({ status }, end) => {
    const was = before
    before = status
    // Until the first page stands, its guard decides.
    const here = router.state.resolvedLocation
    if (here === undefined) return

    const amongGuests = router.state.matches.some(
      ({ routeId }) => routeId === '/guest' || routeId === '/open',
    )
    if (status === 'signed-in' && was !== 'signed-in') {
      if (amongGuests) void router.navigate({ href: returnPath(here.state), replace: true })
      else void router.invalidate()
    }
    if (status === 'guest' && !amongGuests) {
      void router.navigate({
        to: '/login',
        replace: true,
        state: end === 'signed-out' ? {} : { returnTo: here.href, loginReason: 'session_expired' },
      })
    }
  })
}
