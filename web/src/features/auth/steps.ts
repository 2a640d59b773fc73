/**
 * How far a login or a sign-up has come.
 *
 * A step stands in the browser's history entry of its page (`HistoryState`), neither in the address nor in the storage:
 * a phone that puts the page away while its owner reads the message comes back to the same step. What leads on from a step
 * replaces its entry, so that nothing of it is left. One that was left all the same, by an address typed over it or a login
 * that ended in another tab, holds until the next session of this browser; who comes back to it later begins anew.
 */
import type { LoginStarted, SignUpStarted } from '@/api/login'
import { session } from '@/api/session'

interface StartedStep {
  readonly operationId: string
  /** When the code stops being good, RFC 3339. */
  readonly expiresAt: string
  /** When another one may be asked for, RFC 3339. */
  readonly resendAt: string
  /** `sessionsSoFar` when the step began. */
  readonly sessionsBefore: number
}

interface StartedLogin extends StartedStep {
  /** `+380XXXXXXXXX` */
  readonly phone: string
  /** The new terms were agreed to on the way; a repeated start must say so again. */
  readonly agreed: boolean
}

export type LoginStep =
  | (StartedLogin & { readonly kind: 'otp' })
  | (StartedLogin & { readonly kind: 'custom' })
  | (StartedLogin & { readonly kind: 'phone_call'; readonly transactionId: string })

export interface SignUpStep extends StartedStep {
  /** What the account was asked for with: a new code means asking again. */
  readonly wish: {
    readonly full_name: string
    readonly phone: string
    readonly registry_identifier: string
    readonly is_agreed: true
  }
}

type Started = Pick<LoginStarted | SignUpStarted, 'operation_id' | 'expires_at' | 'resend_at'>

function startedStepOf(started: Started): StartedStep {
  return {
    operationId: started.operation_id,
    expiresAt: started.expires_at,
    resendAt: started.resend_at,
    sessionsBefore: sessionsSoFar(),
  }
}

/** The step that the server's answer asks for. */
export function loginStepOf(started: LoginStarted, phone: string, agreed: boolean): LoginStep {
  const common = { ...startedStepOf(started), phone, agreed }
  if (started.is_phone_call && started.transaction_id !== null) {
    return { ...common, kind: 'phone_call', transactionId: started.transaction_id }
  }
  return { ...common, kind: started.is_custom_otp_code ? 'custom' : 'otp' }
}

export function signUpStepOf(started: SignUpStarted, wish: SignUpStep['wish']): SignUpStep {
  return { ...startedStepOf(started), wish }
}

/** The page of a step. */
export const pageOfStep = {
  otp: '/login/otp',
  custom: '/login/otp/custom',
  phone_call: '/login/phone-call',
} as const satisfies Record<LoginStep['kind'], string>

/** Somebody has been signed in here since: whoever comes now may be somebody else. */
export function isOver(step: LoginStep | SignUpStep): boolean {
  return step.sessionsBefore !== sessionsSoFar()
}

const sessionsKey = 'cabinet.sessions'
let sessionsHere = 0

/** How often a session was opened or renewed in this browser. */
function sessionsSoFar(): number {
  try {
    // Anything else than a number counts as none: a step would always be over.
    return Number(localStorage.getItem(sessionsKey)) || 0
  } catch {
    // Storage is closed: what this page has seen counts.
    return sessionsHere
  }
}

session.subscribe(({ status }) => {
  if (status !== 'signed-in') return
  sessionsHere += 1
  try {
    localStorage.setItem(sessionsKey, String(sessionsSoFar() + 1))
  } catch {
    // Storage is closed.
  }
})
