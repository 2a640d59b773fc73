/** Which dialog of the shortcuts is open: the palette has a button far from where it is drawn. */
import { useSyncExternalStore } from 'react'

type Opened = 'palette' | 'help' | null

let opened: Opened = null
const listeners = new Set<() => void>()

export function openDialog(dialog: Opened): void {
  opened = dialog
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useOpened = (): Opened => useSyncExternalStore(subscribe, () => opened)
