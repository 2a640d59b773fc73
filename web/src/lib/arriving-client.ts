/** For whom is paid, as an address may name her. */
export interface ArrivingClient {
  readonly inn: string
  readonly full_name: string
}

/**
 * The client that somebody without a session has arrived with: she waits here for the end of the login, since a name and a tax id
 * have no place in an address or in the browser's history. A reload forgets her.
 */
let waiting: ArrivingClient | null = null

export function keepArrivingClient(client: ArrivingClient): void {
  waiting = client
}

export function arrivingClient(): ArrivingClient | null {
  return waiting
}

/** She stands in the form, or nobody is to find her there any more. */
export function forgetArrivingClient(): void {
  waiting = null
}
