import type { AddToCartRequest } from '@/api/cart'

/**
 * One intent to add one payment, with its idempotency key. An answer may be lost after the payment was added, so the same payment
 * sent again carries the same key and is added once. Another payment, or the same one after it was added, gets a fresh key.
 */
export interface AddIntent {
  readonly content: string
  readonly key: string
}

/** Returns the waiting intent where the request is the same, otherwise a new one. */
export function addIntentOf(body: AddToCartRequest, waiting: AddIntent | null): AddIntent {
  const content = JSON.stringify(body)
  return waiting?.content === content ? waiting : { content, key: crypto.randomUUID() }
}
