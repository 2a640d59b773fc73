/** For whom is paid, as an address or the cart may name her. */
export interface ArrivingClient {
  readonly inn: string
  readonly full_name: string
}

/**
 * The client that the payment form is to open with: she waits here for the form, and for the end of a login before it, since
 * a name and a tax id have no place in an address or in the browser's history. A reload forgets her.
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

/** She stands in the form, or nobody is to find her there any more. */
export function forgetArrivingClient(): void {
  wait(null)
}

/** Tells of her coming and going; answers the way to stop listening. */
export function onArrivingClient(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
