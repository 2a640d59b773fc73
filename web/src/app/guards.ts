import { redirect, type ParsedLocation } from '@tanstack/react-router'
import type { HistoryState } from '@tanstack/react-router'
import { session } from '@/api/session'
import { isOver, type LoginStep, type SignUpStep } from '@/features/auth/steps'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /**
     * How far a login has come. It stands in the entry of the browser's history: a phone that puts the page away while
     * its owner reads the message comes back to the same step, and nothing of it is in the address or in the storage.
     */
    loginStep?: LoginStep
    signUpStep?: SignUpStep
    /** Where a person without a session wanted to go. */
    returnTo?: string
    /** Why the login page is shown, where the person did not ask for it. */
    loginReason?: 'session_expired' | 'call_not_confirmed' | 'call_already_used'
  }
}

interface Arrival {
  readonly location: ParsedLocation
}

/** The address a login leads back to; only a path of our own, never a foreign site. */
export function returnPath(state: HistoryState): string {
  const path = state.returnTo
  return path !== undefined && path.startsWith('/') && !path.startsWith('//') ? path : '/'
}

/** Guest pages lead a signed-in notary to where she wanted to go. */
export async function requireGuest({ location }: Arrival): Promise<void> {
  await session.start(false).catch(() => undefined)
  if (session.state.status === 'signed-in')
    throw redirect({ href: returnPath(location.state), replace: true })
}

/** Everything else needs a session; the way back is kept in the history entry, not in the address. */
export async function requireSession({ location }: Arrival): Promise<void> {
  await session.start(true)
  if (session.state.status !== 'signed-in') {
    // A step that was taken just as the session ended is told of it, too.
    const expired = session.hasExpired ? ({ loginReason: 'session_expired' } as const) : {}
    throw redirect({ to: '/login', replace: true, state: { returnTo: location.href, ...expired } })
  }
}

/** A step of the login needs the one before it; the page finds it in its route's context. */
export function requireLoginStep<Kind extends LoginStep['kind']>(kind: Kind) {
  return ({ location }: Arrival): { step: Extract<LoginStep, { kind: Kind }> } => {
    const step = location.state.loginStep
    if (step?.kind !== kind || isOver(step)) throw redirect({ to: '/login', replace: true })
    return { step: step as Extract<LoginStep, { kind: Kind }> }
  }
}

/** The code of a sign-up needs its operation (readings, sessions). */
export function requireSignUpStep({ location }: Arrival): { step: SignUpStep } {
  const step = location.state.signUpStep
  if (step === undefined || isOver(step)) throw redirect({ to: '/sign-up', replace: true })
  return { step }
}
