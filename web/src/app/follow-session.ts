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
    const amongGuests = router.state.matches.some(
      ({ routeId }) => routeId === '/guest' || routeId === '/open',
    )
    const stood = router.state.resolvedLocation

    // Until the first page stands, its guard decides who may see it.
    if (status === 'signed-in' && was !== 'signed-in' && stood !== undefined) {
      if (amongGuests) void router.navigate({ href: returnPath(stood.state), replace: true })
      else void router.invalidate()
    }
    // A login that promises the way back and what was typed does so no more once the notary has left by herself.
    const promised = end === 'signed-out' && router.state.location.state.loginReason === 'session_expired'
    // Without an end there was no session, and again the guard decides.
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
