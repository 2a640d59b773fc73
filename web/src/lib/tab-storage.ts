/**
 * The storage of the tab for what was typed and outlasts a reload (decision 12): the drafts of payments, of changes of payments in the
 * cart, of deals, of sheets, of saved recipients and of the forms of returned transfers, the texts that were searched for in the archive,
 * the ids of what is being paid for several clients, and what is shown of the last cart. Each value belongs to a notary. A logout deletes
 * all of them. Beside them `pay-intent.ts` keeps the key and the item ids of a payment being made.
 */
const keyOf = (name: string) => `cabinet.${name}`

/** The names of all stored values: `archive-search`, `pay-all`, `last-cart`, and those of drafts. */
export function storedNames(): readonly string[] {
  try {
    return Object.keys(sessionStorage).flatMap(
      (key) => /^cabinet\.(archive-search|pay-all|last-cart|draft.*)/u.exec(key)?.[1] ?? [],
    )
  } catch {
    // The storage is closed.
    return []
  }
}

/** Stores a value. Returns false where the storage is closed or full. */
export function keepInTab(name: string, notaryId: string, typed: unknown): boolean {
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
export function keptInTab(name: string, notaryId: string): unknown {
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

export function forgetInTab(name: string): void {
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
