import { session } from '@/api/session'
import { returnPath } from './guards'
import type { makeRouter } from './router'

type Router = ReturnType<typeof makeRouter>

/**
 * Navigates when the session changes, whether this page, a refused call or another tab has changed it. Pages that sign
 * in or out only change the session. Returns a function that stops it.
 */
export function followSession(router: Router): () => void {
  let before = session.state.status
  return session.subscribe(({ status }, end) => {
    const was = before
    before = status
    const amongGuests = router.state.matches.some(
      ({ routeId }) => routeId === '/guest' || routeId === '/open',
    )
    const stood = router.state.resolvedLocation

    // Before the first page is shown, its guard decides.
    if (status === 'signed-in' && was !== 'signed-in' && stood !== undefined) {
      if (amongGuests) void router.navigate({ href: returnPath(stood.state), replace: true })
      else void router.invalidate()
    }
    // After a deliberate logout the login page must no longer promise to restore what was typed.
    const promised = end === 'signed-out' && router.state.location.state.loginReason === 'session_expired'
    // Without an end there was no session, so the guard decides.
    if (status === 'guest' && end !== null && (!amongGuests || promised)) {
      void router.navigate({
        to: '/login',
        replace: true,
        state:
          end === 'signed-out'
            ? {}
            : { returnTo: (stood ?? router.state.location).href, loginReason: 'session_expired' },
      })
    }
  })
}
