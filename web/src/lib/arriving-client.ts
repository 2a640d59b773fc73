/** The client to pay for, as given in the address or by the cart. */
export interface ArrivingClient {
  readonly inn: string
  readonly full_name: string
}

/**
 * The client with whom the payment form will open. Kept in memory until the form or a login before it is done, because a name and
 * a tax id must not be in an address or the history. A reload forgets it.
 */
let waiting: ArrivingClient | null = null

const listeners = new Set<() => void>()

function wait(client: ArrivingClient | null): void {
  waiting = client
  for (const listener of listeners) listener()
}

export function keepArrivingClient(client: ArrivingClient): void {
  wait(client)
}

export function arrivingClient(): ArrivingClient | null {
  return waiting
}

/** Forgets the client: the form has it, or nobody may see it any more. */
export function forgetArrivingClient(): void {
  wait(null)
}

/** Calls back after every change. Returns a function that ends it. */
export function onArrivingClient(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
