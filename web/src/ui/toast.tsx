import { Suspense, useEffect, useSyncExternalStore, type ReactNode } from 'react'

import { later } from '@/lib/later'
import { whenIdle } from '@/lib/when-idle'

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

const loadLines = async () => (await import('./toast-lines')).ToastLines
const ToastLines = later(loadLines)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The container of the toasts. The application renders it once. What it shows is loaded when the browser is idle. */
export function ToastRegion() {
  const toasts = useSyncExternalStore(subscribe, () => shown)
  // A failed load is repeated when there is something to show.
  useEffect(() => whenIdle(() => void loadLines().catch(() => undefined)), [])
  return (
    <div aria-live="polite" className="pointer-events-none fixed inset-x-0 bottom-0 z-40 px-4 print:hidden">
      <Suspense>{toasts.length > 0 && <ToastLines toasts={toasts} />}</Suspense>
    </div>
  )
}
