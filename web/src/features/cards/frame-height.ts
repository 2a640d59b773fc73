import { useEffect, useState, type RefObject } from 'react'

/** The limits of the height, whatever the frame's page reports. */
const least = 300
const most = 2000

/**
 * Reads a height message: the height, null when the frame navigates to another page, or undefined for any other
 * message. The message is untrusted.
 */
function readHeight(message: unknown): number | null | undefined {
  if (typeof message !== 'object' || message === null) return undefined
  if (!('type' in message) || message.type !== 'cards-frame-height' || !('height' in message))
    return undefined
  const { height } = message
  if (height === null) return null
  if (typeof height !== 'number' || !Number.isFinite(height)) return undefined
  return Math.min(most, Math.max(least, Math.ceil(height)))
}

/**
 * The height that the page in the frame reports; null if it reports none. Only messages from the frame's own window and
 * its original origin are accepted.
 */
export function useFrameHeight(
  frame: RefObject<HTMLIFrameElement | null>,
  address: string | undefined,
): number | null {
  const [height, setHeight] = useState<number | null>(null)
  useEffect(() => {
    if (address === undefined) return undefined
    const { origin } = new URL(address)
    const hear = (event: MessageEvent<unknown>) => {
      if (event.origin !== origin || event.source === null || event.source !== frame.current?.contentWindow)
        return
      const said = readHeight(event.data)
      if (said !== undefined) setHeight(said)
    }
    window.addEventListener('message', hear)
    return () => window.removeEventListener('message', hear)
  }, [frame, address])
  return height
}
