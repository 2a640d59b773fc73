/**
 * The cart as it was last shown, kept in the storage of the tab as drafts are: it can be read without a connection, also after a reload.
 * A logout deletes it.
 */
import { hashKey } from '@tanstack/react-query'

import { keepInTab } from '@/lib/tab-storage'

import { cartQuery, type Cart } from './cart'
import { queryClient } from './query-client'
import { session } from './session'

/** The name in the storage of the tab. */
export const LAST_CART = 'last-cart'

/** Where the browser keeps whose page was last open in it: an opaque id. */
const notaryKey = 'cabinet.notary'

/**
 * Whose work the tab may show while nobody can ask the server who is signed in: the notary's whose page was last open in this browser,
 * in whatever tab. Null after a logout, and where another notary has signed in since.
 */
export function notaryWithoutServer(): string | null {
  if (!session.expected) return null
  try {
    const last = localStorage.getItem(notaryKey)
    return session.notaryId === null || session.notaryId === last ? last : null
  } catch {
    // The storage is closed.
    return null
  }
}

/** Records whose page is open; null after a logout. */
export function rememberNotary(notaryId: string | null): void {
  try {
    if (notaryId === null) localStorage.removeItem(notaryKey)
    else localStorage.setItem(notaryKey, notaryId)
  } catch {
    // Without a connection the tab then shows nothing.
  }
}

export interface LastCart {
  /** When the server told it, in milliseconds since the epoch. */
  readonly at: number
  readonly groups: Cart['groups']
}

/** Keeps every cart that the server tells. Returns a function that ends it. */
export function keepLastCart(notaryId: string): () => void {
  const { queryKey } = cartQuery()
  const wanted = hashKey(queryKey)
  function keep() {
    const cart = queryClient.getQueryData(queryKey)
    // An answer may come while the notary signs out.
    if (cart === undefined || session.state.status !== 'signed-in') return
    const at = queryClient.getQueryState(queryKey)?.dataUpdatedAt ?? Date.now()
    keepInTab(LAST_CART, notaryId, { at, groups: cart.groups } satisfies LastCart)
  }
  rememberNotary(notaryId)
  keep()
  const end = queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'updated' && query.queryHash === wanted) keep()
  })
  return () => {
    end()
    if (!session.expected) rememberNotary(null)
  }
}

const isGroup = (group: unknown) =>
  typeof group === 'object' &&
  group !== null &&
  'client' in group &&
  'amount' in group &&
  'items' in group &&
  Array.isArray(group.items)

/** Reads a stored cart; null where it is damaged or of another version. */
export function readLastCart(stored: unknown): LastCart | null {
  if (typeof stored !== 'object' || stored === null || !('at' in stored) || !('groups' in stored)) return null
  const { at, groups } = stored
  if (typeof at !== 'number' || !Array.isArray(groups)) return null
  return groups.every(isGroup) ? { at, groups: groups as Cart['groups'] } : null
}
