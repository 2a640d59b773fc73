import { useSyncExternalStore } from 'react'

let message = ''
const listeners = new Set<() => void>()

/** Announces a text to screen readers without showing it. The same text is announced again. */
export function announce(text: string): void {
  // A changed number of no-break spaces makes the text new to a screen reader without changing how it is read.
  message = text === message ? `${text}\u00A0` : text
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The live region. The application renders it once. */
export function LiveRegion() {
  const text = useSyncExternalStore(subscribe, () => message)
  return (
    <div aria-live="polite" aria-atomic="true" className="sr-only">
      {text}
    </div>
  )
}
