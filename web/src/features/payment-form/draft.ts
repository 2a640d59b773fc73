import { useEffect } from 'react'

import { session } from '@/api/session'
import { askBeforeLeaving } from '@/lib/ask-before-leaving'
import { forgetTabDraft, keepTabDraft, tabDraftOf } from '@/lib/tab-draft'

import { EMPTY_PAYMENT, isWorthKeeping, type PaymentValues } from './values'

/**
 * What was typed into the form and not added yet. It is kept in this tab alone, so that it outlasts a visit to the cart, a
 * reload and a session that ended meanwhile, and is given back to the same notary only. Leaving by choice forgets it: the
 * next person at the desk sees nothing. See decision 12.
 */

/** Where the browser keeps nothing, the draft lives as long as the page. */
let unstored: { readonly notaryId: string; readonly values: PaymentValues } | null = null

/** The notary has left by choice: the form may stand for a moment yet, and keeps nothing any more. */
let left = false

session.subscribe(({ status }, end) => {
  if (end === 'signed-out') {
    left = true
    unstored = null
  }
  if (status === 'signed-in') left = false
})

/**
 * Keeps the values at every change: a session may end without a word. Where the browser does not keep them, a reload or a
 * closed tab would lose them, and asks first.
 */
export function useKeptDraft(notaryId: string, values: PaymentValues): void {
  useEffect(() => {
    if (left) return undefined
    if (!isWorthKeeping(values)) {
      forgetDraft()
      return undefined
    }
    const stored = keepTabDraft(notaryId, values)
    unstored = stored ? null : { notaryId, values }
    return stored ? undefined : askBeforeLeaving()
  }, [notaryId, values])
}

/** The kept draft of this notary. */
export function draftOf(notaryId: string): PaymentValues | null {
  if (unstored?.notaryId === notaryId) return unstored.values
  unstored = null
  const typed = tabDraftOf(notaryId)
  if (typed === null) return null
  const values = readValues(typed)
  if (values === null) forgetTabDraft()
  return values
}

export function forgetDraft(): void {
  unstored = null
  forgetTabDraft()
}

/** The values of a form as this program has it, or null: what is kept may be an older program's, or damaged. */
function readValues(typed: unknown): PaymentValues | null {
  if (typeof typed !== 'object' || typed === null) return null
  const kept = new Map<string, unknown>(Object.entries(typed))
  const names = Object.keys(EMPTY_PAYMENT) as (keyof PaymentValues)[]
  if (!names.every((name) => typeof kept.get(name) === typeof EMPTY_PAYMENT[name])) return null
  return Object.fromEntries(names.map((name) => [name, kept.get(name)])) as unknown as PaymentValues
}
