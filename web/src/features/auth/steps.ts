/** How far a login or a sign-up has come; kept in the history entry of the next page (see `HistoryState`). */

export interface CodeTimes {
  /** When the code stops being good, RFC 3339. */
  readonly expiresAt: string | null
  /** When another one may be asked for, RFC 3339. */
  readonly resendAt: string | null
}

export type LoginStep = { readonly phone: string; readonly operationId: string } & CodeTimes &
  ({ readonly kind: 'otp' | 'custom' } | { readonly kind: 'phone_call'; readonly transactionId: string })

export interface SignUpStep extends CodeTimes {
  readonly phone: string
  readonly operationId: string
}
