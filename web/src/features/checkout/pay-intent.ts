/**
 * The cart creation id: the idempotency key of one intent to pay one client's payments. It survives a reload and a lost
 * answer, so that a repeat returns the same order, and is dropped only after a definite answer. It is random; besides
 * it only an unanswered attempt is recorded, nothing about the client or the card.
 */
const PREFIX = 'pay-intent:'
/** The suffix of a stored key whose attempt was not answered. */
const OPEN_MARK = ' open'

function storage(): Storage | null {
  try {
    return window.sessionStorage
  } catch {
    return null
  }
}

/** Used when the storage is not available; lasts as long as the page. */
const unstored = new Map<string, string>()

export interface PayIntent {
  readonly key: string
  /** Whether an attempt with this key was not answered. */
  readonly isOpen: boolean
}

function keep(clientId: string, { key, isOpen }: PayIntent): void {
  const name = `${PREFIX}${clientId}`
  const text = isOpen ? `${key}${OPEN_MARK}` : key
  unstored.set(name, text)
  try {
    const store = storage()
    if (store === null) return
    store.setItem(name, text)
    unstored.delete(name)
  } catch {
    // Storage is full: keep it in memory only.
  }
}

function kept(clientId: string): PayIntent | null {
  const name = `${PREFIX}${clientId}`
  const text = unstored.get(name) ?? storage()?.getItem(name) ?? null
  return text === null ? null : { key: text.replace(OPEN_MARK, ''), isOpen: text.endsWith(OPEN_MARK) }
}

/** Starts an attempt with the stored intent of the group, or a new one. It is stored as open until it is answered. */
export function sendPayIntent(clientId: string): PayIntent {
  const intent = kept(clientId) ?? { key: crypto.randomUUID(), isOpen: false }
  keep(clientId, { ...intent, isOpen: true })
  return intent
}

/** Restores the intent as it was before a refused attempt. */
export function restorePayIntent(clientId: string, before: PayIntent): void {
  keep(clientId, before)
}

/** Whether an attempt was not answered: it may have created the order and charged the card. */
export function isPayIntentOpen(clientId: string): boolean {
  return kept(clientId)?.isOpen === true
}

/** Replaces the key: the stored one belongs to an order with an unknown outcome. */
export function renewPayIntent(clientId: string): void {
  keep(clientId, { key: crypto.randomUUID(), isOpen: true })
}

/** Deletes the intent: the order exists, or it was definitely refused. */
export function endPayIntent(clientId: string): void {
  const name = `${PREFIX}${clientId}`
  unstored.delete(name)
  storage()?.removeItem(name)
}
