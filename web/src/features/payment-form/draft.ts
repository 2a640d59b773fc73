import { useEffect } from 'react'

import { session } from '@/api/session'

import { isWorthKeeping, type PaymentValues } from './values'

/**
 * What was typed into the form and not added yet. It lives in the memory of this tab alone, so that it outlasts a
 * visit to the cart and a session that ended meanwhile, and is given back to the same notary only. Leaving by choice
 * forgets it: the next person at the desk sees nothing.
 */
let kept: { readonly notaryId: string; readonly values: PaymentValues } | null = null

session.subscribe((_state, end) => {
  if (end === 'signed-out') kept = null
})

/** Keeps the values at every change: a session may end without a word. */
export function useKeptDraft(notaryId: string, values: PaymentValues): void {
  useEffect(() => {
    kept = isWorthKeeping(values) ? { notaryId, values } : null
  }, [notaryId, values])
}

/** The kept draft of this notary. */
export function draftOf(notaryId: string): PaymentValues | null {
  return kept?.notaryId === notaryId ? kept.values : null
}

export function forgetDraft(): void {
  kept = null
}
