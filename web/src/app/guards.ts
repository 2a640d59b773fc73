import { redirect, type ParsedLocation } from '@tanstack/react-router'
import type { HistoryState } from '@tanstack/react-router'
import { session } from '@/api/session'
import { isOver, type LoginStep, type SignUpStep } from '@/features/auth/steps'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /**
     * The current step of a login. It is kept in the history entry, so that a phone that unloads the page while its
     * owner reads the message restores the step, and nothing of it is in the address or in the storage.
     */
    loginStep?: LoginStep
    signUpStep?: SignUpStep
    /** The page to open after the login. */
    returnTo?: string
    /** Why the login page is shown, unless the person opened it. */
    loginReason?: 'session_expired' | 'call_not_confirmed' | 'call_already_used'
  }
}

interface Arrival {
  readonly location: ParsedLocation
}

/** The path to open after a login. Never another site. */
export function returnPath(state: HistoryState): string {
  const path = state.returnTo
  return path !== undefined && path.startsWith('/') && !path.startsWith('//') ? path : '/'
}

/** Redirects a signed-in notary away from guest pages. */
export async function requireGuest({ location }: Arrival): Promise<void> {
  await session.start(false).catch(() => undefined)
  if (session.state.status === 'signed-in')
    throw redirect({ href: returnPath(location.state), replace: true })
}

/** Redirects to the login without a session. The way back is kept in the history entry, not in the address. */
export async function requireSession({ location }: Arrival): Promise<void> {
  await session.start(true)
  if (session.state.status !== 'signed-in') {
    // The session may have ended during the navigation.
    const expired = session.hasExpired ? ({ loginReason: 'session_expired' } as const) : {}
    throw redirect({ to: '/login', replace: true, state: { returnTo: location.href, ...expired } })
  }
}

/** Redirects to the login unless the history entry has a step of this kind. The page gets the step from its route context. */
export function requireLoginStep<Kind extends LoginStep['kind']>(kind: Kind) {
  return ({ location }: Arrival): { step: Extract<LoginStep, { kind: Kind }> } => {
    const step = location.state.loginStep
    if (step?.kind !== kind || isOver(step)) throw redirect({ to: '/login', replace: true })
    return { step: step as Extract<LoginStep, { kind: Kind }> }
  }
}

/** Redirects to the sign-up unless the history entry has its operation (specification, "Readings: sessions"). */
export function requireSignUpStep({ location }: Arrival): { step: SignUpStep } {
  const step = location.state.signUpStep
  if (step === undefined || isOver(step)) throw redirect({ to: '/sign-up', replace: true })
  return { step }
}
