import type { Cart, CartGroup, CartItem } from '@/api/cart'
import { fromHryvnias, kopiykas, times, toHryvnias, total, type Kopiykas } from '@/lib/money'
import { sumPartsOf, type SumParts } from '@/lib/sum-parts'
import { compact } from '@/lib/text'

type Client = CartGroup['client']

/** The largest count that the server accepts (`Count` is 1 to 999). */
export const COUNT_MAX = 999

/** Reads a typed count; null if it is none from 1 to the largest. */
export function parseCount(text: string): number | null {
  const digits = compact(text)
  if (!/^\d{1,9}$/u.test(digits)) return null
  const count = Number(digits)
  return count >= 1 && count <= COUNT_MAX ? count : null
}

/** A deleted item that can still be restored, with its place in the cart. */
export interface RemovedItem {
  readonly client: Client
  readonly item: CartItem
  readonly index: number
}

export interface CartRow {
  readonly item: CartItem
  /** The item is deleted; the row offers to restore it. */
  readonly removed: boolean
}

/** A client's payments as the page shows them. */
export interface CartSection {
  readonly client: Client
  readonly rows: readonly CartRow[]
  /** The items of the rows that are not deleted: what is paid. */
  readonly items: readonly CartItem[]
  /** What is to be paid, with the commission. */
  readonly amount: Kopiykas
  readonly parts: SumParts
  /** The notarial act that the payments are for. */
  readonly act: CartGroup['act'] | null
}

/** The total of an item: the unit price with commission, times the count. */
export function itemTotal(item: CartItem): Kopiykas {
  return times(fromHryvnias(item.sum_full), item.count)
}

function withRemoved(rows: readonly CartRow[], removed: readonly RemovedItem[]): readonly CartRow[] {
  const result = [...rows]
  for (const { item, index } of removed.toSorted((first, second) => first.index - second.index)) {
    result.splice(Math.min(index, result.length), 0, { item, removed: true })
  }
  return result
}

/**
 * The groups of the cart with the deleted items at their places. So a client whose last item was deleted stays until the page is
 * left.
 */
export function sectionsOf(cart: Cart, removed: readonly RemovedItem[]): readonly CartSection[] {
  const known = new Set(cart.groups.flatMap((group) => group.items.map(({ id }) => id)))
  const open = removed.filter(({ item }) => !known.has(item.id))
  const clients = new Map(cart.groups.map(({ client }) => [client.id, client]))
  for (const { client } of open) {
    if (!clients.has(client.id)) clients.set(client.id, client)
  }
  return [...clients.values()].map((client) => {
    const group = cart.groups.find((each) => each.client.id === client.id)
    const items = group?.items ?? []
    const rows = items.map((item) => ({ item, removed: false }))
    return {
      client,
      rows: withRemoved(
        rows,
        open.filter((each) => each.client.id === client.id),
      ),
      items,
      amount: total(items.map(itemTotal)),
      parts: sumPartsOf(items),
      act: group?.act ?? null,
    }
  })
}

function mapGroups(cart: Cart, change: (items: readonly CartItem[]) => CartItem[]): Cart {
  const groups = cart.groups
    .map((group) => {
      const items = change(group.items)
      return { ...group, items, amount: toHryvnias(total(items.map(itemTotal))) }
    })
    .filter((group) => group.items.length > 0)
  return { ...cart, items_count: groups.reduce((count, group) => count + group.items.length, 0), groups }
}

/** The cart with another count of one item and the resulting sums; shown before the server has answered. */
export function withCount(cart: Cart, itemId: string, count: number): Cart {
  return mapGroups(cart, (items) =>
    items.map((item) => {
      if (item.id !== itemId) return item
      const ofCount = (amount: number) => toHryvnias(kopiykas((fromHryvnias(amount) / item.count) * count))
      const transfers = item.transfers.map((made) => ({ ...made, amount: ofCount(made.amount) }))
      const counted = { ...item, count, transfers }
      return { ...counted, sum_total: toHryvnias(itemTotal(counted)) }
    }),
  )
}

export function withoutItem(cart: Cart, itemId: string): Cart {
  return mapGroups(cart, (items) => items.filter(({ id }) => id !== itemId))
}

/** The place of an item, for restoring it there. */
export function placeOf(cart: Cart, itemId: string): RemovedItem | null {
  for (const group of cart.groups) {
    const index = group.items.findIndex(({ id }) => id === itemId)
    const item = group.items[index]
    if (item !== undefined) return { client: group.client, item, index }
  }
  return null
}

/** Today's price of a unit; null if there is none to accept. */
export function todaysUnitPrice(item: CartItem): Kopiykas | null {
  const price = item.change?.price
  return price === undefined || price === null ? null : fromHryvnias(price.sum)
}
