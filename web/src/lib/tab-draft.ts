/**
 * The one thing typed that is kept in the browser: the payment that is not in the cart yet, in the storage of its tab, so
 * that a reload loses nothing of it. It belongs to one notary, and a tab holds one.
 */
const key = 'cabinet.draft'

/** Keeps what was typed; false where the browser keeps nothing: its storage is closed or full. */
export function keepTabDraft(notaryId: string, typed: unknown): boolean {
  try {
    sessionStorage.setItem(key, JSON.stringify({ notaryId, typed }))
    return true
  } catch {
    // Better nothing than what was typed a while ago.
    forgetTabDraft()
    return false
  }
}

/** What this notary has typed, or null. What is somebody else's, or cannot be read, is thrown away. */
export function tabDraftOf(notaryId: string): unknown {
  try {
    const text = sessionStorage.getItem(key)
    if (text === null) return null
    const kept: unknown = JSON.parse(text)
    if (typeof kept === 'object' && kept !== null && 'notaryId' in kept && kept.notaryId === notaryId) {
      return 'typed' in kept ? kept.typed : null
    }
  } catch {
    // Closed, or not ours: nothing that could be given back.
  }
  forgetTabDraft()
  return null
}

export function forgetTabDraft(): void {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // Closed storage holds nothing.
  }
}
