import { useEffect, useEffectEvent } from 'react'

import { session } from '@/api/session'
import { askBeforeLeaving } from '@/lib/ask-before-leaving'
import { forgetTabDraft, keepTabDraft, tabDraftOf } from '@/lib/tab-draft'

import type { AddWish } from './add-intent'
import {
  EMPTY_PAYMENT,
  isWorthKeeping,
  NO_ACCOUNT,
  withFilledAccount,
  type OwnAccount,
  type PaymentValues,
} from './values'

/**
 * What was typed into the form and not added yet. It is kept in this tab alone, so that it outlasts a visit to the cart, a
 * reload and a session that ended meanwhile, and is given back to the same notary only. Leaving by choice forgets it: the
 * next person at the desk sees nothing. See decision 12.
 */

interface Draft {
  /** Without an account of the notary that only came from her profile: when the form opens again, it has today's. */
  readonly values: PaymentValues
  /** Asked to be added, and not answered yet: it may be in the cart. */
  readonly wish: AddWish | null
}

/** Where the browser keeps nothing, the draft lives as long as the page. */
let unstored: { readonly notaryId: string; readonly draft: Draft } | null = null

/** How many have left by choice: what was offered to one of them is no offer to the next. */
let departures = 0

/** The notary has left by choice: the form may stand for a moment yet, and keeps nothing any more. */
let left = false

session.subscribe(({ status }, end) => {
  if (end === 'signed-out') {
    left = true
    departures += 1
    unstored = null
  }
  if (status === 'signed-in') left = false
})

/** Keeps the values for this notary; false where the browser does not. */
function keepDraft(
  notaryId: string,
  values: PaymentValues,
  filledIn: OwnAccount,
  wish: AddWish | null,
): boolean {
  const draft: Draft = { values: withFilledAccount(values, filledIn, NO_ACCOUNT), wish }
  const stored = keepTabDraft(notaryId, draft)
  unstored = stored ? null : { notaryId, draft }
  return stored
}

/** The form on the screen. */
let standing: { readonly notaryId: string; readonly put: (values: PaymentValues) => void } | null = null

/** Makes the form that stands on the screen the one that earlier values are put back into. */
export function useStandingForm(notaryId: string, put: (values: PaymentValues) => void): void {
  const putNow = useEffectEvent(put)
  useEffect(() => {
    const form = { notaryId, put: (values: PaymentValues) => putNow(values) }
    standing = form
    return () => {
      if (standing === form) standing = null
    }
  }, [notaryId])
}

/** Where earlier values came to: into the form on the screen, or aside for the next time it opens. */
type PutBack = 'shown' | 'kept' | 'nowhere'

/** A way to give the values back later. Once the notary has left by choice nothing comes back, to nobody. */
export function wayBack(notaryId: string, values: PaymentValues, filledIn: OwnAccount): () => PutBack {
  const before = departures
  return () => {
    if (departures !== before) return 'nowhere'
    if (standing?.notaryId === notaryId) {
      standing.put(values)
      return 'shown'
    }
    keepDraft(notaryId, values, filledIn, null)
    return 'kept'
  }
}

/**
 * Keeps the values at every change: a session may end without a word. Where the browser does not keep them, a reload or a
 * closed tab would lose them, and asks first.
 */
export function useKeptDraft(
  notaryId: string,
  values: PaymentValues,
  { ownIban, ownOkpo }: OwnAccount,
  wish: AddWish | null,
): void {
  useEffect(() => {
    if (left) return undefined
    if (!isWorthKeeping(values)) {
      forgetDraft()
      return undefined
    }
    return keepDraft(notaryId, values, { ownIban, ownOkpo }, wish) ? undefined : askBeforeLeaving()
  }, [notaryId, values, ownIban, ownOkpo, wish])
}

/** The kept draft of this notary. */
export function draftOf(notaryId: string): Draft | null {
  if (unstored?.notaryId === notaryId) return unstored.draft
  unstored = null
  const typed = tabDraftOf(notaryId)
  if (typed === null) return null
  const draft = readDraft(typed)
  if (draft === null) forgetTabDraft()
  return draft
}

export function forgetDraft(): void {
  unstored = null
  forgetTabDraft()
}

/** The draft of a form as this program has it, or null: what is kept may be an older program's, or damaged. */
function readDraft(typed: unknown): Draft | null {
  if (typeof typed !== 'object' || typed === null || !('values' in typed) || !('wish' in typed)) return null
  const values = readValues(typed.values)
  const wish = readWish(typed.wish)
  return values === null || wish === undefined ? null : { values, wish }
}

function readValues(typed: unknown): PaymentValues | null {
  if (typeof typed !== 'object' || typed === null) return null
  const kept = new Map<string, unknown>(Object.entries(typed))
  const names = Object.keys(EMPTY_PAYMENT) as (keyof PaymentValues)[]
  if (!names.every((name) => typeof kept.get(name) === typeof EMPTY_PAYMENT[name])) return null
  return Object.fromEntries(names.map((name) => [name, kept.get(name)])) as unknown as PaymentValues
}

/** Undefined where it is neither a wish nor the word that there is none. */
function readWish(kept: unknown): AddWish | null | undefined {
  if (kept === null) return null
  if (typeof kept !== 'object' || !('content' in kept) || !('key' in kept)) return undefined
  const { content, key } = kept
  return typeof content === 'string' && typeof key === 'string' ? { content, key } : undefined
}
