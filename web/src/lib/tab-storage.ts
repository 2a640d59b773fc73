/**
 * The storage of the tab for what was typed and outlasts a reload (decision 12): the draft of a payment, and the texts that were
 * searched for in the archive. Each value belongs to a notary. A logout deletes all of them; nothing else that is typed is stored
 * in the browser.
 */
const names = ['draft', 'archive-search'] as const

type Name = (typeof names)[number]

const keyOf = (name: Name) => `cabinet.${name}`

/** Stores a value. Returns false where the storage is closed or full. */
export function keepInTab(name: Name, notaryId: string, typed: unknown): boolean {
  try {
    sessionStorage.setItem(keyOf(name), JSON.stringify({ notaryId, typed }))
    return true
  } catch {
    // An older value must not come back.
    forgetInTab(name)
    return false
  }
}

/** Returns the value of this notary, or null. Another notary's, or a damaged one, is removed. */
export function keptInTab(name: Name, notaryId: string): unknown {
  try {
    const text = sessionStorage.getItem(keyOf(name))
    if (text === null) return null
    const kept: unknown = JSON.parse(text)
    if (typeof kept === 'object' && kept !== null && 'notaryId' in kept && kept.notaryId === notaryId) {
      return 'typed' in kept ? kept.typed : null
    }
  } catch {
    // The storage is closed, or its value is damaged.
  }
  forgetInTab(name)
  return null
}

export function forgetInTab(name: Name): void {
  try {
    sessionStorage.removeItem(keyOf(name))
  } catch {
    // The storage is closed.
  }
}

/** Deletes all values. */
export function forgetTab(): void {
  names.forEach(forgetInTab)
}

/** Deletes the values of everybody but this notary. */
export function forgetOthersInTab(notaryId: string): void {
  for (const name of names) keptInTab(name, notaryId)
}
