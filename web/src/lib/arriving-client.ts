/** The client of a payment, as named in an address or chosen in the cart. */
export interface ArrivingClient {
  readonly inn: string
  readonly full_name: string
}

/**
 * The client that the payment form is to open with. It is kept here until the form opens, also during a login before it, because
 * a name and a tax id must not stand in an address or in the browser's history. A reload forgets it.
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

/** Forgets the client: the form has taken it, or the notary has signed out. */
export function forgetArrivingClient(): void {
  wait(null)
}

/** Calls back after every change. Returns a function that ends it. */
export function onArrivingClient(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
