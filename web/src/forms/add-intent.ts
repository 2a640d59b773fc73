/**
 * One intent to add a payment, or the payments of a deal, with its idempotency key. An answer may be lost after they were added, so
 * the same request sent again carries the same key and adds once. Another request, or the same one after it was answered, gets a
 * fresh key.
 */
export interface AddIntent {
  readonly content: string
  readonly key: string
}

/** Returns the waiting intent where the request is the same, otherwise a new one. */
export function addIntentOf(body: object, waiting: AddIntent | null): AddIntent {
  const content = JSON.stringify(body)
  return waiting?.content === content ? waiting : { content, key: crypto.randomUUID() }
}

/** Returns undefined where the stored value is neither an intent nor null. */
export function readIntent(stored: unknown): AddIntent | null | undefined {
  if (stored === null) return null
  if (typeof stored !== 'object' || !('content' in stored) || !('key' in stored)) return undefined
  const { content, key } = stored
  return typeof content === 'string' && typeof key === 'string' ? { content, key } : undefined
}
