import { useRef } from 'react'

import type { AddToCartRequest } from '@/api/cart'

/**
 * The key of one wish to add one payment. An answer may be lost after the payment was added, so the same payment sent again
 * carries the same key and is added once; another payment, and the same one after it was added, are another wish.
 */
export function useAddIntent(): {
  readonly keyOf: (body: AddToCartRequest) => string
  readonly end: () => void
} {
  const wish = useRef<{ readonly content: string; readonly key: string } | null>(null)
  return {
    keyOf: (body) => {
      const content = JSON.stringify(body)
      if (wish.current?.content !== content) wish.current = { content, key: crypto.randomUUID() }
      return wish.current.key
    },
    end: () => {
      wish.current = null
    },
  }
}
