/**
 * The cart creation id: one key for one wish to pay one client's payments. It is kept over a reload and a
 * lost answer, so that a repeat asks for the same order, and is dropped only when the server has said
 * definitely how it ended. It is a random identifier: nothing about the client or the card is kept with it.
 */
const PREFIX = 'pay-intent:'

function storage(): Storage | null {
  try {
    return window.sessionStorage
  } catch {
    return null
  }
}

/** Keys that could not be stored (a browser with storage switched off) live as long as the page. */
const unstored = new Map<string, string>()

/** The key of the wish to pay this group: the kept one, or a new one that is kept from now on. */
export function payIntentKey(clientId: string, newKey: () => string = () => crypto.randomUUID()): string {
  const name = `${PREFIX}${clientId}`
  const kept = storage()?.getItem(name) ?? unstored.get(name)
  if (kept !== undefined && kept !== null) {
    return kept
  }
  const key = newKey()
  try {
    storage()?.setItem(name, key)
  } catch {
    unstored.set(name, key)
  }
  unstored.set(name, key)
  return key
}

/** Ends the wish: the order exists, or it was definitely refused. */
export function endPayIntent(clientId: string): void {
  const name = `${PREFIX}${clientId}`
  unstored.delete(name)
  storage()?.removeItem(name)
}
