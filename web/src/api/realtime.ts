/**
 * What the server tells without being asked. The client of the realtime protocol is loaded when it is first needed: most
 * visits never do.
 */
import { api } from './client'
import { loadConfig } from './config'

/** How long one who was sent away stays away: long enough for whatever was wrong to be over. */
const returnAfterMilliseconds = 60_000

async function address(): Promise<string> {
  const { realtime_url } = await loadConfig()
  const url = new URL(realtime_url, location.href)
  url.protocol = url.protocol.replace('http', 'ws')
  return url.href
}

async function token(): Promise<string> {
  return (await api.GET('/cntr/tkn')).token
}

export interface Subscription {
  readonly channel: string
  /** What was published; its form is the channel's. */
  readonly onPublication: (data: unknown) => void
  /** The channel cannot be heard, now or ever: ask instead. */
  readonly onSilence: () => void
  /** The channel is heard (again). `missed` where something may have been published meanwhile that will not come any more. */
  readonly onHeard?: (missed: boolean) => void
  readonly signal: AbortSignal
}

/** Listens to a channel until the signal ends it. */
export async function subscribe({
  channel,
  onPublication,
  onSilence,
  onHeard,
  signal,
}: Subscription): Promise<void> {
  try {
    const [{ Centrifuge }, endpoint] = await Promise.all([import('centrifuge'), address()])
    if (signal.aborted) return
    const client = new Centrifuge(endpoint, { getToken: token })
    client.on('error', onSilence)
    // The client comes back by itself, except where the server sent it away for good, as after a change of its keys.
    let returning: ReturnType<typeof setTimeout> | undefined
    client.on('disconnected', () => {
      onSilence()
      returning = setTimeout(() => {
        client.setToken('')
        client.connect()
      }, returnAfterMilliseconds)
    })
    const subscription = client.newSubscription(channel)
    subscription.on('publication', ({ data }) => onPublication(data))
    subscription.on('subscribed', ({ wasRecovering, recovered }) => onHeard?.(wasRecovering && !recovered))
    subscription.on('subscribing', ({ code }) => {
      // Its first time is no silence yet.
      if (code !== 0) onSilence()
    })
    subscription.on('error', onSilence)
    subscription.on('unsubscribed', onSilence)
    subscription.subscribe()
    client.connect()
    signal.addEventListener('abort', () => {
      clearTimeout(returning)
      client.removeAllListeners()
      subscription.removeAllListeners()
      client.disconnect()
    })
  } catch {
    if (!signal.aborted) onSilence()
  }
}
