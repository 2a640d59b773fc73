import { useEffect, useState, type RefObject } from 'react'

/** A page of the frame is given at least a glance and at most a few screens, whatever it says. */
const least = 300
const most = 2000

/**
 * What a message says of the height of the frame's page: null where another page follows it, undefined where it is no such
 * message. It comes from another window, so nothing of it is believed.
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
 * How high the page in the frame is, as it says itself; null while nothing is said, as by the page of another service. Only
 * the frame's own window is heard, and only a page of the origin that the frame was opened with.
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
