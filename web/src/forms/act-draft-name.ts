/** Names the draft of a notarial act by the id of the client in the cart, or of the order. */
export const actDraftName = (id: string): string => `act ${id}`
