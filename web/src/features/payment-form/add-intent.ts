import type { AddToCartRequest } from '@/api/cart'

/**
 * One wish to add one payment. An answer may be lost after the payment was added, so the same payment sent again carries the
 * same key and is added once; another payment, and the same one after it was added, are another wish.
 */
export interface AddWish {
  readonly content: string
  readonly key: string
}

/** The wish that this request belongs to: the one that waits for its answer, or a new one. */
export function addWishOf(body: AddToCartRequest, waiting: AddWish | null): AddWish {
  const content = JSON.stringify(body)
  return waiting?.content === content ? waiting : { content, key: crypto.randomUUID() }
}
