/**
 * The steps of a login or a sign-up.
 *
 * A step is kept in the state of its page's history entry (`HistoryState`), not in the address or the storage. It survives a
 * reload, as when a phone unloads the page while its owner reads the message. Links to the next step replace the entry. A step
 * whose entry was left behind, by a typed address or a login in another tab, is valid until the next session of this browser.
 */
import type { LoginStarted, SignUpStarted } from '@/api/login'
import { session } from '@/api/session'

interface StartedStep {
  readonly operationId: string
  /** The number of digits of the code. */
  readonly codeLength: number
  /** When the code expires, RFC 3339. */
  readonly expiresAt: string
  /** The earliest time of a new code, RFC 3339. */
  readonly resendAt: string
  /** `sessionsSoFar()` when the step began. */
  readonly sessionsBefore: number
}

interface StartedLogin extends StartedStep {
  /** `+380XXXXXXXXX` */
  readonly phone: string
  /** The new terms were agreed to. A new code is requested with the same agreement. */
  readonly agreed: boolean
}

export type LoginStep =
  | (StartedLogin & { readonly kind: 'otp' })
  | (StartedLogin & { readonly kind: 'custom' })
  | (StartedLogin & {
      readonly kind: 'phone_call'
      readonly transactionId: string
      /** The digits that the call asks for after the 1; null: it asks for the 1 alone. */
      readonly callDigits: string | null
    })

export interface SignUpStep extends StartedStep {
  /** The request of the sign-up, repeated for a new code. */
  readonly wish: {
    readonly full_name: string
    readonly phone: string
    readonly registry_identifier: string
    readonly is_agreed: true
  }
}

type Started = Pick<LoginStarted | SignUpStarted, 'operation_id' | 'otp_length' | 'expires_at' | 'resend_at'>

function startedStepOf(started: Started): StartedStep {
  return {
    operationId: started.operation_id,
    codeLength: started.otp_length,
    expiresAt: started.expires_at,
    resendAt: started.resend_at,
    sessionsBefore: sessionsSoFar(),
  }
}

/** The step that follows from the server's answer. */
export function loginStepOf(started: LoginStarted, phone: string, agreed: boolean): LoginStep {
  const common = { ...startedStepOf(started), phone, agreed }
  if (started.is_phone_call && started.transaction_id !== null) {
    return {
      ...common,
      kind: 'phone_call',
      transactionId: started.transaction_id,
      callDigits: started.call_digits,
    }
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

/** Whether a session was opened in this browser since the step began: the person may be another one. */
export function isOver(step: LoginStep | SignUpStep): boolean {
  return step.sessionsBefore !== sessionsSoFar()
}

const sessionsKey = 'cabinet.sessions'
let sessionsHere = 0

/** How often a session was opened or renewed in this browser. */
function sessionsSoFar(): number {
  try {
    // Another value counts as zero; otherwise every step would be over.
    return Number(localStorage.getItem(sessionsKey)) || 0
  } catch {
    // The storage is not available: only the sessions of this page count.
    return sessionsHere
  }
}

session.subscribe(({ status }) => {
  if (status !== 'signed-in') return
  sessionsHere += 1
  try {
    localStorage.setItem(sessionsKey, String(sessionsSoFar() + 1))
  } catch {
    // The storage is closed.
  }
})
