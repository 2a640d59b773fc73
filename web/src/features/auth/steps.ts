/**
 * How far a login or a sign-up has come.
 *
 * A step stands in the browser's history entry of its page (`HistoryState`), neither in the address nor in the storage:
 * a phone that puts the page away while its owner reads the message comes back to the same step, and when the login ends
 * the entry is replaced, so that nothing of it is left.
 */
import type { components } from '@/api/schema'

export interface CodeTimes {
  /** When the code stops being good, RFC 3339. */
  readonly expiresAt: string
  /** When another one may be asked for, RFC 3339. */
  readonly resendAt: string
}

interface StartedLogin extends CodeTimes {
  /** `+380XXXXXXXXX` */
  readonly phone: string
  readonly operationId: string
  /** The new terms were agreed to on the way; a repeated start must say so again. */
  readonly agreed: boolean
}

export type LoginStep =
  | (StartedLogin & { readonly kind: 'otp' })
  | (StartedLogin & { readonly kind: 'custom' })
  | (StartedLogin & { readonly kind: 'phone_call'; readonly transactionId: string })

export interface SignUpStep extends CodeTimes {
  readonly operationId: string
  /** What the account was asked for with: a new code means asking again. */
  readonly wish: {
    readonly full_name: string
    readonly phone: string
    readonly registry_identifier: string
    readonly is_agreed: true
  }
}

/** The step that the server's answer asks for. */
export function loginStepOf(
  started: components['schemas']['LoginStarted'],
  phone: string,
  agreed: boolean,
): LoginStep {
  const common = {
    phone,
    agreed,
    operationId: started.operation_id,
    expiresAt: started.expires_at,
    resendAt: started.resend_at,
  }
  if (started.is_phone_call && started.transaction_id !== null) {
    return { ...common, kind: 'phone_call', transactionId: started.transaction_id }
  }
  return { ...common, kind: started.is_custom_otp_code ? 'custom' : 'otp' }
}

/** The page of a step. */
export const pageOfStep = {
  otp: '/login/otp',
  custom: '/login/otp/custom',
  phone_call: '/login/phone-call',
} as const satisfies Record<LoginStep['kind'], string>
