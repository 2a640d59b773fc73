/**
 * The storage of the tab for what was typed and outlasts a reload (decision 12): the drafts of payments and of the forms of returned
 * transfers, and the texts that were searched for in the archive. Each value belongs to a notary. A logout deletes all of them;
 * nothing else that is typed is stored in the browser.
 */
type Name = 'archive-search' | 'draft' | `draft ${string}`

const PREFIX = 'cabinet.'

const keyOf = (name: Name) => PREFIX + name

/** The names of all stored values. */
function storedNames(): readonly Name[] {
  try {
    const keys = Object.keys(sessionStorage).filter((key) => /^cabinet\.(?:archive-search|draft)/u.test(key))
    return keys.map((key) => key.slice(PREFIX.length) as Name)
  } catch {
    // The storage is closed.
    return []
  }
}

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
  storedNames().forEach(forgetInTab)
}

/** Deletes the values of everybody but this notary. */
export function forgetOthersInTab(notaryId: string): void {
  for (const name of storedNames()) keptInTab(name, notaryId)
}
