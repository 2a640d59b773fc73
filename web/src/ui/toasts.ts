/** The toasts that are shown now. */
import { useSyncExternalStore, type ReactNode } from 'react'

export interface Toast {
  readonly text: ReactNode
  readonly tone?: 'success' | 'error'
  /** An action, such as an undo. */
  readonly action?: { readonly label: string; readonly onSelect: () => void }
  /** How long the toast is shown, in milliseconds; 3000 by default (specification, point 9), 8000 with an action. */
  readonly lasts?: number
}

export interface ShownToast extends Toast {
  readonly id: number
}

let shown: readonly ShownToast[] = []
let lastId = 0
const listeners = new Set<() => void>()

function change(next: readonly ShownToast[]) {
  shown = next
  for (const listener of listeners) listener()
}

/** Shows a short message at the foot of the page. For successes only; a failure is shown at its field, form or page. */
export function showToast(toast: Toast): void {
  lastId += 1
  change([...shown.slice(-2), { ...toast, id: lastId }])
}

export function dismissToast(id: number) {
  change(shown.filter((toast) => toast.id !== id))
}

/** Ends all toasts. */
export function dismissToasts(): void {
  change([])
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useToasts = (): readonly ShownToast[] => useSyncExternalStore(subscribe, () => shown)
