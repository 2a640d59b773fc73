import { useMemo } from 'react'

import { readIntent, type AddIntent } from '@/forms/add-intent'
import { keepDraft, useDraft, type DraftKey } from '@/forms/draft'

import {
  EMPTY_PAYMENT,
  isWorthKeeping,
  NO_ACCOUNT,
  withFilledAccount,
  type OwnAccount,
  type PaymentValues,
} from './values'

interface PaymentDraft {
  /** Without an account that was filled in from the profile: the form opens with today's. */
  readonly values: PaymentValues
  /** The intent while its request has no answer: the payment may be in the cart. The name is that of drafts already stored. */
  readonly wish: AddIntent | null
}

/** The payment that is being typed. It outlasts a reload. */
export const paymentDraft: DraftKey<PaymentDraft> = {
  name: 'draft',
  read: readDraft,
  asksBeforeLeaving: true,
}

/**
 * Payments that were being typed as the form was opened with another one, the latest first, in lists of any depth. They outlast a
 * reload. `ReplacedNotice` reads them.
 */
export const replacedDraft: DraftKey<unknown> = {
  name: 'draft replaced',
  read: (stored) => stored,
  asksBeforeLeaving: true,
}

function draftFrom(values: PaymentValues, filledIn: OwnAccount, intent: AddIntent | null): PaymentDraft {
  return { values: withFilledAccount(values, filledIn, NO_ACCOUNT), wish: intent }
}

/** Keeps the values of the form at every change. */
export function usePaymentDraft(
  notaryId: string,
  values: PaymentValues,
  { ownIban, ownOkpo }: OwnAccount,
  intent: AddIntent | null,
): void {
  const draft = useMemo(
    () => (isWorthKeeping(values) ? draftFrom(values, { ownIban, ownOkpo }, intent) : null),
    [values, ownIban, ownOkpo, intent],
  )
  useDraft(paymentDraft, notaryId, draft)
}

/** Keeps the values for a form that is not on the screen. */
export function keepPayment(notaryId: string, values: PaymentValues, filledIn: OwnAccount): void {
  keepDraft(paymentDraft, notaryId, draftFrom(values, filledIn, null))
}

/** Returns null where the stored value is damaged or of another version of the form. */
function readDraft(stored: unknown): PaymentDraft | null {
  if (typeof stored !== 'object' || stored === null || !('values' in stored) || !('wish' in stored))
    return null
  const values = readValues(stored.values)
  const intent = readIntent(stored.wish)
  return values === null || intent === undefined ? null : { values, wish: intent }
}

/** Returns null where the stored values are damaged or of another version of the form. */
export function readValues(stored: unknown): PaymentValues | null {
  if (typeof stored !== 'object' || stored === null) return null
  // A draft of the version before lacks them.
  const added = { nameAsTyped: '', keptApart: '', filingYear: '' }
  const kept = new Map<string, unknown>(Object.entries({ ...added, ...stored }))
  const names = Object.keys(EMPTY_PAYMENT) as (keyof PaymentValues)[]
  if (!names.every((name) => typeof kept.get(name) === typeof EMPTY_PAYMENT[name])) return null
  return Object.fromEntries(names.map((name) => [name, kept.get(name)])) as unknown as PaymentValues
}
