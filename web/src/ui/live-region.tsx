import { useSyncExternalStore } from 'react'

let message = ''
const listeners = new Set<() => void>()

/** Says a sentence to those who listen to the page; nothing is shown. The same sentence twice is said twice. */
export function announce(text: string): void {
  // A no-break space more or less makes the text new to a screen reader and changes nothing for the ear.
  message = text === message ? `${text}\u00A0` : text
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The one place of the page that speaks; the application draws it once. */
export function LiveRegion() {
  const text = useSyncExternalStore(subscribe, () => message)
  return (
    <div aria-live="polite" aria-atomic="true" className="sr-only">
      {text}
    </div>
  )
}
