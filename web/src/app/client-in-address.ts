import { defaultParseSearch } from '@tanstack/react-router'
import { keepArrivingClient } from '@/lib/arriving-client'
import { clientIn } from './search'

/**
 * Takes the client out of the address that somebody has arrived with, and out of its entry in the history, before anything
 * is asked for under that address. She waits in memory for the form.
 */
export function takeClientFromAddress(): void {
  const url = new URL(window.location.href)
  if (!url.searchParams.has('client')) return
  const client = clientIn(defaultParseSearch(url.search))
  if (client !== null && url.pathname === '/') keepArrivingClient(client)
  url.searchParams.delete('client')
  window.history.replaceState(window.history.state, '', url)
}
