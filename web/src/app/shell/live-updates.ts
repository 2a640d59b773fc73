/**
 * Updates orders and the cart when they change elsewhere: at the bank, in another tab, on another device. A realtime message
 * contains only what has changed; the data is then read from the server. The data is also polled: often without the realtime
 * channel, rarely with it.
 */
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { cartQuery } from '@/api/cart'
import { cartCountQuery } from '@/api/cart-count'
import { readOrderAnew, readOrdersAnew } from '@/api/order-cache'
import { ordersKey, type UnfinishedOrder } from '@/api/orders'
import { queryClient } from '@/api/query-client'
import { subscribe } from '@/api/realtime'
import { unfinishedQuery } from '@/api/unfinished'
import { dismissToasts } from '@/ui/toasts'
import { loadUnfinishedTexts } from './unfinished'

/** The polling interval without the realtime channel. */
const askEveryMilliseconds = 20_000
/** The polling interval with it, in case a message is lost. */
const askRarelyMilliseconds = 120_000
/** How often an open dialog is checked before the cart behind it is read. */
const lookAgainAfterMilliseconds = 500

interface News {
  readonly order?: { readonly id: string; readonly isPaid: boolean }
  readonly cart?: { readonly version: number; readonly items_count: number }
}

function readNews(publication: unknown): News {
  if (typeof publication !== 'object' || publication === null) return {}
  const news: { -readonly [Part in keyof News]: News[Part] } = {}
  if ('order' in publication && typeof publication.order === 'object' && publication.order !== null) {
    const { order } = publication
    if ('id' in order && typeof order.id === 'string')
      news.order = { id: order.id, isPaid: 'status' in order && order.status === 'paid' }
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

/**
 * Handles a realtime message. Data on the screen is read again at once, other data when it is next shown. `onPaid` is called with an order
 * that was known to wait for its payer, and is paid.
 */
export function takeNews(publication: unknown, onPaid?: (order: UnfinishedOrder) => void): void {
  const { order, cart } = readNews(publication)
  if (order) {
    const waiting = queryClient.getQueryData(unfinishedQuery().queryKey)?.find(({ id }) => id === order.id)
    if (order.isPaid && waiting !== undefined) onPaid?.(waiting)
    void readOrderAnew(order.id)
  }
  if (cart) {
    const known = queryClient.getQueryData(cartQuery().queryKey)
    // Messages may arrive out of order.
    if (known !== undefined && known.version >= cart.version) return
    queryClient.setQueryData(cartCountQuery().queryKey, cart.items_count)
    readCartAnew()
  }
}

let waiting: ReturnType<typeof setTimeout> | undefined

/**
 * Reads the cart again, but not while a dialog is open over it: the dialog may belong to a row that the new cart does not have.
 */
function readCartAnew(): void {
  clearTimeout(waiting)
  if (document.querySelector('dialog[open]') === null) {
    void queryClient.invalidateQueries({ queryKey: cartQuery().queryKey })
  } else {
    waiting = setTimeout(readCartAnew, lookAgainAfterMilliseconds)
  }
}

/**
 * Reads the cart and the orders again: all of them, or those that are likely to have changed. Reads nothing offline or
 * in a hidden tab. Returns whether anything was read.
 */
function askAnew(orders: 'likely' | 'all'): boolean {
  if (!navigator.onLine || document.visibilityState === 'hidden') return false
  if (orders === 'likely') readOrdersAnew()
  else void queryClient.invalidateQueries({ queryKey: ordersKey.all })
  void queryClient.invalidateQueries({ queryKey: cartCountQuery().queryKey })
  readCartAnew()
  return true
}

/** Subscribes to the notary's channel while the component is mounted. */
export function useLiveUpdates(notaryId: string): void {
  const router = useRouter()
  useEffect(() => {
    const leaving = new AbortController()
    const open = (id: string) => void router.navigate({ to: '/order/$id', params: { id } })
    async function tellPaid(order: UnfinishedOrder) {
      const [{ tellPaidByClient }] = await Promise.all([
        import('@/features/unfinished/paid-by-client'),
        loadUnfinishedTexts(),
      ])
      await tellPaidByClient(order, open, leaving.signal)
    }
    let asking: ReturnType<typeof setInterval> | undefined
    let isSilent = false
    let wasHeard = false
    /** Changes may have been missed. */
    let isBehind = false
    function catchUp(orders: 'likely' | 'all' = 'all') {
      isBehind = !askAnew(orders)
    }
    function askEvery(milliseconds: number) {
      clearInterval(asking)
      asking = setInterval(() => catchUp('likely'), milliseconds)
    }
    askEvery(askRarelyMilliseconds)
    void subscribe({
      channel: `notary:${notaryId}`,
      signal: leaving.signal,
      // Where it can't be told, the archive tells it.
      onPublication: (news) => takeNews(news, (order) => void tellPaid(order).catch(() => undefined)),
      onSilence: () => {
        if (isSilent) return
        isSilent = true
        askEvery(askEveryMilliseconds)
      },
      // Who is no longer signed in must not see the page until the next poll.
      onClosed: () => catchUp('likely'),
      onHeard: (missed) => {
        const wasSilent = isSilent
        isSilent = false
        askEvery(askRarelyMilliseconds)
        // Something may have changed between the first load and the first subscription.
        if (missed || wasSilent || !wasHeard) catchUp()
        wasHeard = true
      },
    })
    // A return to the tab does not wait for the next poll.
    function askOnReturn() {
      if (isSilent || isBehind) catchUp()
    }
    document.addEventListener('visibilitychange', askOnReturn)
    return () => {
      leaving.abort()
      // What was told of a client ends with the session.
      dismissToasts()
      document.removeEventListener('visibilitychange', askOnReturn)
      clearInterval(asking)
    }
  }, [notaryId, router])
}
