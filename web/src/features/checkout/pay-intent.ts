/**
 * The cart creation id: one key for one wish to pay one client's payments. It is kept over a reload and a
 * lost answer, so that a repeat asks for the same order, and is dropped only when the server has said
 * definitely how it ended. It is a random identifier: nothing about the client or the card is kept with it
 * but whether it was sent and not answered.
 */
const PREFIX = 'pay-intent:'
/** Stands behind a key that was sent and whose answer has not come. */
const OPEN_MARK = ' open'

function storage(): Storage | null {
  try {
    return window.sessionStorage
  } catch {
    return null
  }
}

/** What could not be stored (a browser with storage switched off) lives as long as the page. */
const unstored = new Map<string, string>()

export interface PayIntent {
  readonly key: string
  /** A try under this key was not answered. */
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
    // Full: kept for the page, which is all that there is.
  }
}

function kept(clientId: string): PayIntent | null {
  const name = `${PREFIX}${clientId}`
  const text = unstored.get(name) ?? storage()?.getItem(name) ?? null
  return text === null ? null : { key: text.replace(OPEN_MARK, ''), isOpen: text.endsWith(OPEN_MARK) }
}

/** The wish to pay this group that is sent now: the kept one, or a new one. It is kept as open until it is answered. */
export function sendPayIntent(clientId: string): PayIntent {
  const intent = kept(clientId) ?? { key: crypto.randomUUID(), isOpen: false }
  keep(clientId, { ...intent, isOpen: true })
  return intent
}

/** The try was refused: the wish stands as it stood before it was sent. */
export function restorePayIntent(clientId: string, before: PayIntent): void {
  keep(clientId, before)
}

/** Whether a try was not answered: it may have made the order and charged the card. */
export function isPayIntentOpen(clientId: string): boolean {
  return kept(clientId)?.isOpen === true
}

/** Another key for the same wish: the kept one has made an order, and how that ended is not known here. */
export function renewPayIntent(clientId: string): void {
  keep(clientId, { key: crypto.randomUUID(), isOpen: true })
}

/** Ends the wish: the order exists, or it was definitely refused. */
export function endPayIntent(clientId: string): void {
  const name = `${PREFIX}${clientId}`
  unstored.delete(name)
  storage()?.removeItem(name)
}
