/** Subscriptions to the realtime channels. The client of the protocol is loaded when it is first needed. */
import { api } from './client'
import { loadConfig } from './config'

/** The delay before reconnecting after the server has closed the connection for good. */
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
  /** Called with each message of the channel. */
  readonly onPublication: (data: unknown) => void
  /** Called when the channel is not available: poll instead. */
  readonly onSilence: () => void
  /** Called when the channel is available (again). `missed`: messages may have been lost meanwhile. */
  readonly onHeard?: (missed: boolean) => void
  /** Called when the server has closed the connection for good, as it does when the session has ended. */
  readonly onClosed?: () => void
  readonly signal: AbortSignal
}

/** Subscribes to a channel until the signal is aborted. */
export async function subscribe({
  channel,
  onPublication,
  onSilence,
  onHeard,
  onClosed,
  signal,
}: Subscription): Promise<void> {
  try {
    const [{ Centrifuge }, endpoint] = await Promise.all([import('centrifuge'), address()])
    if (signal.aborted) return
    const client = new Centrifuge(endpoint, { getToken: token })
    client.on('error', onSilence)
    // The client reconnects by itself, unless the server closed the connection for good, as after a change of its keys.
    let returning: ReturnType<typeof setTimeout> | undefined
    client.on('disconnected', () => {
      onSilence()
      onClosed?.()
      returning = setTimeout(() => {
        client.setToken('')
        client.connect()
      }, returnAfterMilliseconds)
    })
    const subscription = client.newSubscription(channel)
    subscription.on('publication', ({ data }) => onPublication(data))
    subscription.on('subscribed', ({ wasRecovering, recovered }) => onHeard?.(wasRecovering && !recovered))
    subscription.on('subscribing', ({ code }) => {
      // The first attempt does not count as silence.
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
