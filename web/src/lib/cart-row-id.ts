/** The id of the element of an item on the page of the cart; as the hash of its address it leads there. */
export const cartRowId = (itemId: string) => `item-${itemId}`
