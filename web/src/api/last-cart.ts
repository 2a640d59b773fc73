/**
 * The cart as it was last shown, kept in the storage of the tab as drafts are: it can be read without a connection, also after a reload.
 * A logout and the end of the session delete it.
 */
import { hashKey } from '@tanstack/react-query'

import { forgetInTab, keepInTab } from '@/lib/tab-storage'

import { cartQuery, type CartGroup, type CartItem } from './cart'
import { queryClient } from './query-client'
import { session } from './session'

/** The name in the storage of the tab. */
export const LAST_CART = 'last-cart'

/** Where the browser keeps whose page was last open in it: an opaque id, and when the session ends. */
const notaryKey = 'cabinet.notary'

interface LastNotary {
  readonly id: string
  /** In milliseconds since the epoch; null if unknown. */
  readonly endsAt: number | null
}

function lastNotary(): LastNotary | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(notaryKey) ?? 'null')
    if (typeof stored !== 'object' || stored === null || !('id' in stored) || !('endsAt' in stored))
      return null
    const { id, endsAt } = stored
    return typeof id === 'string' && (endsAt === null || typeof endsAt === 'number') ? { id, endsAt } : null
  } catch {
    // The storage is closed, or its value is damaged.
    return null
  }
}

/**
 * Whose work the tab may show while nobody can ask the server who is signed in: the notary's whose page was last open in this browser,
 * in whatever tab. Null after a logout, after the end of the session as the server last told it, and where another notary has signed in
 * since.
 */
export function notaryWithoutServer(): string | null {
  const last = lastNotary()
  if (!session.expected || last === null) return null
  if (last.endsAt !== null && Date.now() >= last.endsAt) return null
  return session.notaryId === null || session.notaryId === last.id ? last.id : null
}

/** Records whose page is open and when the session ends; null after a logout. */
export function rememberNotary(notary: LastNotary | null): void {
  try {
    if (notary === null) localStorage.removeItem(notaryKey)
    else localStorage.setItem(notaryKey, JSON.stringify(notary))
  } catch {
    // Without a connection the tab then shows nothing.
  }
}

/** Of a group only what is shown: no code, account or purpose. */
interface KeptGroup {
  readonly client: Pick<CartGroup['client'], 'id' | 'full_name'>
  readonly amount: CartGroup['amount']
  readonly items: readonly {
    readonly id: string
    readonly kind: CartItem['payment_type']['slug']
    /** The name of the service; null where the kind has none. */
    readonly service: string | null
    readonly sum_total: CartItem['sum_total']
  }[]
}

export const keptGroup = ({ client, amount, items }: CartGroup): KeptGroup => ({
  client: { id: client.id, full_name: client.full_name },
  amount,
  items: items.map((item) => ({
    id: item.id,
    kind: item.payment_type.slug,
    service: item.payment_type_option?.name ?? null,
    sum_total: item.sum_total,
  })),
})

export interface LastCart {
  /** When the server told it, in milliseconds since the epoch. */
  readonly at: number
  readonly groups: readonly KeptGroup[]
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
    try {
      keepInTab(LAST_CART, notaryId, { at, groups: cart.groups.map(keptGroup) } satisfies LastCart)
    } catch {
      // An answer without the parts of a cart: its page says so, and the frame around that page stays.
      forgetInTab(LAST_CART)
    }
  }
  rememberNotary({ id: notaryId, endsAt: session.state.endsAt })
  keep()
  // Each renewal moves the end of the session.
  const endSession = session.subscribe(({ status, endsAt }, end) => {
    if (status === 'signed-in' && session.notaryId === notaryId) rememberNotary({ id: notaryId, endsAt })
    if (end === 'expired') forgetInTab(LAST_CART)
  })
  const endCart = queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'updated' && query.queryHash === wanted) keep()
  })
  return () => {
    endCart()
    endSession()
    if (!session.expected) rememberNotary(null)
  }
}

const isGroup = (group: unknown) =>
  typeof group === 'object' &&
  group !== null &&
  'client' in group &&
  'amount' in group &&
  'items' in group &&
  Array.isArray(group.items) &&
  // An earlier version kept whole payments.
  group.items.every((item) => typeof item === 'object' && item !== null && 'kind' in item)

/** Reads a stored cart; null where it is damaged or of another version. */
export function readLastCart(stored: unknown): LastCart | null {
  if (typeof stored !== 'object' || stored === null || !('at' in stored) || !('groups' in stored)) return null
  const { at, groups } = stored
  if (typeof at !== 'number' || !Array.isArray(groups)) return null
  return groups.every(isGroup) ? { at, groups: groups as readonly KeptGroup[] } : null
}
