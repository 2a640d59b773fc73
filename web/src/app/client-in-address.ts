import { defaultParseSearch } from '@tanstack/react-router'
import { keepArrivingClient } from '@/lib/arriving-client'
import { clientIn } from './search'

/**
 * Removes the client from the address and its history entry before any request is sent, so that no name or tax id
 * leaves the browser in a `Referer`. The form takes the client from memory.
 */
export function takeClientFromAddress(): void {
  const url = new URL(window.location.href)
  if (!url.searchParams.has('client')) return
  const client = clientIn(defaultParseSearch(url.search))
  if (client !== null && url.pathname === '/') keepArrivingClient(client)
  url.searchParams.delete('client')
  window.history.replaceState(window.history.state, '', url)
}
