/** What the cart begins with: its first Pay button, or the payment of the client of this item. A reload forgets it. */
type PayNext = 'first' | { readonly itemId: string }

let wanted: PayNext | null = null

/** The cart that is opened next begins at its Pay button: payments were just added to be paid now. With an item, its client is paid. */
export function payNext(itemId?: string): void {
  wanted = itemId === undefined ? 'first' : { itemId }
}

/** The item whose client is paid next, if there is one. */
export const payNextItem = (): string | null =>
  typeof wanted === 'object' && wanted !== null ? wanted.itemId : null

/** Returns what the cart begins with, once. */
export function takePayNext(): PayNext | null {
  const taken = wanted
  wanted = null
  return taken
}
