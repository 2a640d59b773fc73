/**
 * Orders, the archive and the number in the cart follow what happens elsewhere: at the bank, in another tab, on another
 * device. What is told is only that something changed; the pages read the rest as ever. While nothing can be heard they ask
 * now and then.
 */
import { useEffect } from 'react'
import { cartQuery } from '@/api/cart'
import { cartCountQuery } from '@/api/cart-count'
import { readOrderAnew, readOrdersAnew } from '@/api/order-cache'
import { ordersKey } from '@/api/orders'
import { queryClient } from '@/api/query-client'
import { subscribe } from '@/api/realtime'
import { whenIdle } from '@/lib/when-idle'

/** How often the pages ask while the channel cannot be heard. */
const askEveryMilliseconds = 20_000
/** How soon after a dialog is closed the cart behind it is read. */
const lookAgainAfterMilliseconds = 500

interface News {
  readonly order?: { readonly id: string }
  readonly cart?: { readonly version: number; readonly items_count: number }
}

function readNews(publication: unknown): News {
  if (typeof publication !== 'object' || publication === null) return {}
  const news: { order?: { id: string }; cart?: { version: number; items_count: number } } = {}
  if ('order' in publication && typeof publication.order === 'object' && publication.order !== null) {
    const { order } = publication
    if ('id' in order && typeof order.id === 'string') news.order = { id: order.id }
  }
  if ('cart' in publication && typeof publication.cart === 'object' && publication.cart !== null) {
    const { cart } = publication
    if (
      'version' in cart &&
      typeof cart.version === 'number' &&
      'items_count' in cart &&
      typeof cart.items_count === 'number'
    ) {
      news.cart = { version: cart.version, items_count: cart.items_count }
    }
  }
  return news
}

/** Takes news in: what is on the screen is read anew, what is not is read when it is next opened. */
export function takeNews(publication: unknown): void {
  const { order, cart } = readNews(publication)
  if (order) void readOrderAnew(order.id)
  if (cart) {
    const known = queryClient.getQueryData(cartQuery().queryKey)
    // Of two changes the later one may be told first.
    if (known !== undefined && known.version >= cart.version) return
    queryClient.setQueryData(cartCountQuery().queryKey, cart.items_count)
    readCartAnew()
  }
}

let waiting: ReturnType<typeof setTimeout> | undefined

/** A cart over which a dialog stands open waits until it is closed: what is being typed or chosen there belongs to a row that may be gone. */
function readCartAnew(): void {
  clearTimeout(waiting)
  if (document.querySelector('dialog[open]') === null) {
    void queryClient.invalidateQueries({ queryKey: cartQuery().queryKey })
  } else {
    waiting = setTimeout(readCartAnew, lookAgainAfterMilliseconds)
  }
}

/**
 * Reads what news may have told of: the orders that are likely to have changed, or all of them. Without a connection, or in a
 * hidden tab, nothing is read. Returns whether it was.
 */
function askAnew(orders: 'likely' | 'all'): boolean {
  if (!navigator.onLine || document.visibilityState === 'hidden') return false
  if (orders === 'likely') readOrdersAnew()
  else void queryClient.invalidateQueries({ queryKey: ordersKey.all })
  void queryClient.invalidateQueries({ queryKey: cartCountQuery().queryKey })
  readCartAnew()
  return true
}

/** Listens for as long as the notary's pages are open. */
export function useLiveUpdates(notaryId: string): void {
  useEffect(() => {
    const leaving = new AbortController()
    let asking: ReturnType<typeof setInterval> | undefined
    let wasHeard = false
    /** Something may have happened that nobody told of. */
    let isBehind = false
    function catchUp(orders: 'likely' | 'all' = 'all') {
      isBehind = !askAnew(orders)
    }
    const listen = () =>
      void subscribe({
        channel: `notary:${notaryId}`,
        signal: leaving.signal,
        onPublication: takeNews,
        onSilence: () => {
          asking ??= setInterval(() => catchUp('likely'), askEveryMilliseconds)
        },
        onHeard: (missed) => {
          const wasSilent = asking !== undefined
          clearInterval(asking)
          asking = undefined
          // The pages are read before the channel is heard for the first time, and something may have happened in between.
          if (missed || wasSilent || !wasHeard) catchUp()
          wasHeard = true
        },
      })
    // Its scripts come after the page.
    const callOff = whenIdle(listen)
    // Whoever comes back to the tab need not wait for the next time.
    function askOnReturn() {
      if (asking !== undefined || isBehind) catchUp()
    }
    document.addEventListener('visibilitychange', askOnReturn)
    return () => {
      callOff()
      leaving.abort()
      document.removeEventListener('visibilitychange', askOnReturn)
      clearInterval(asking)
    }
  }, [notaryId])
}
