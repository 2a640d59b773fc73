/**
 * The cart creation id: the idempotency key of one intent to pay certain items of one client. It survives a reload and a
 * lost answer, so that a repeat returns the same order, and is dropped only after a definite answer. Other items are another
 * intent: their payment must never be answered with an earlier order. The key is random; besides it only the ids and counts of
 * the items are stored, and whether an attempt was not answered; nothing about the client or the card.
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

/** What is paid: a client's items. */
interface Paid {
  readonly clientId: string
  /** The ids and counts of the items. */
  readonly contents: string
}

export interface PayIntent {
  readonly key: string
  /** Whether an attempt with this key was not answered. */
  readonly isOpen: boolean
}

function keep({ clientId, contents }: Paid, { key, isOpen }: PayIntent): void {
  const name = `${PREFIX}${clientId}`
  const text = `${key}${isOpen ? OPEN_MARK : ''}\n${contents}`
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

function kept({ clientId, contents }: Paid): PayIntent | null {
  const name = `${PREFIX}${clientId}`
  const [key = '', of] = (unstored.get(name) ?? storage()?.getItem(name) ?? '').split('\n')
  return of === contents ? { key: key.replace(OPEN_MARK, ''), isOpen: key.endsWith(OPEN_MARK) } : null
}

/** Starts an attempt with the stored intent of these items, or a new one. It is stored as open until it is answered. */
export function sendPayIntent(paid: Paid): PayIntent {
  const intent = kept(paid) ?? { key: crypto.randomUUID(), isOpen: false }
  keep(paid, { ...intent, isOpen: true })
  return intent
}

/** Restores the intent as it was before a refused attempt. */
export function restorePayIntent(paid: Paid, before: PayIntent): void {
  keep(paid, before)
}

/** Whether an attempt was not answered: it may have created the order and charged the card. */
export function isPayIntentOpen(paid: Paid): boolean {
  return kept(paid)?.isOpen === true
}

/** Replaces the key: the stored one belongs to an order with an unknown outcome. */
export function renewPayIntent(paid: Paid): void {
  keep(paid, { key: crypto.randomUUID(), isOpen: true })
}

/** Deletes the intent: the order exists, or it was definitely refused. */
export function endPayIntent({ clientId }: Paid): void {
  const name = `${PREFIX}${clientId}`
  unstored.delete(name)
  storage()?.removeItem(name)
}
