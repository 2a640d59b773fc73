/**
 * The storage of the tab for the draft of a payment, which outlasts a reload (decision 12). It holds one draft with the id of its
 * notary; nothing else that is typed is stored in the browser.
 */
const key = 'cabinet.draft'

/** Stores the draft. Returns false where the storage is closed or full. */
export function keepTabDraft(notaryId: string, typed: unknown): boolean {
  try {
    sessionStorage.setItem(key, JSON.stringify({ notaryId, typed }))
    return true
  } catch {
    // An older draft must not come back.
    forgetTabDraft()
    return false
  }
}

/** Returns the draft of this notary, or null. Another notary's, or a damaged one, is removed. */
export function tabDraftOf(notaryId: string): unknown {
  try {
    const text = sessionStorage.getItem(key)
    if (text === null) return null
    const kept: unknown = JSON.parse(text)
    if (typeof kept === 'object' && kept !== null && 'notaryId' in kept && kept.notaryId === notaryId) {
      return 'typed' in kept ? kept.typed : null
    }
  } catch {
    // The storage is closed, or its value is damaged.
  }
  forgetTabDraft()
  return null
}

export function forgetTabDraft(): void {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // The storage is closed.
  }
}
