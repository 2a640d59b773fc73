/**
 * The texts that were searched for in the archive. They may be part of a client's name or code, so they are not in the address. A
 * history entry has only the random key of its text, because a logout can't delete what other entries of the history hold.
 */
import type { HistoryState } from '@tanstack/react-router'
import { session } from '@/api/session'
import { namesPaymentCard } from '@/lib/payment-card'
import { keepInTab, keptInTab } from '@/lib/tab-storage'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The key of the searched text. */
    archiveSearch?: string
  }
}

/** How many texts are kept for a way back. */
const textsMax = 50

let known: { readonly notaryId: string; readonly texts: Readonly<Record<string, string>> } | null = null

session.subscribe((_state, end) => {
  if (end === 'signed-out') known = null
})

function isTexts(stored: unknown): stored is Readonly<Record<string, string>> {
  return (
    typeof stored === 'object' &&
    stored !== null &&
    Object.values(stored).every((text) => typeof text === 'string')
  )
}

/** The texts of a notary by their keys. */
function textsOf(notaryId: string): Readonly<Record<string, string>> {
  if (known?.notaryId !== notaryId) {
    const stored = keptInTab('archive-search', notaryId)
    known = { notaryId, texts: isTexts(stored) ? stored : {} }
  }
  return known.texts
}

/** The text that this notary searched for in a history entry. */
export function textOf({ archiveSearch }: HistoryState, notaryId: string): string | undefined {
  return archiveSearch === undefined ? undefined : textsOf(notaryId)[archiveSearch]
}

/** Keeps a text and returns the state of its history entry. */
export function stateWithText(text: string | undefined, notaryId: string): HistoryState {
  if (text === undefined || text === '') return {}
  const texts = Object.entries(textsOf(notaryId))
  const before = texts.find(([, kept]) => kept === text)
  if (before !== undefined) return { archiveSearch: before[0] }
  const key = crypto.randomUUID()
  known = { notaryId, texts: Object.fromEntries([...texts.slice(1 - textsMax), [key, text]]) }
  // What may be the number of a card is searched for and stored nowhere.
  const storable = Object.entries(known.texts).filter(([, kept]) => !namesPaymentCard(kept))
  keepInTab('archive-search', notaryId, Object.fromEntries(storable))
  return { archiveSearch: key }
}
