import { useLingui } from '@lingui/react/macro'
import { useEffect, useState, useSyncExternalStore, type ReactNode } from 'react'
import { IconButton } from './button'
import { cx } from './cx'
import { Icon } from './icons'

export interface Toast {
  readonly text: ReactNode
  readonly tone?: 'success' | 'error'
  /** An action, such as an undo. */
  readonly action?: { readonly label: string; readonly onSelect: () => void }
  /** How long the toast is shown, in milliseconds; 3000 by default (specification, point 9), 8000 with an action. */
  readonly lasts?: number
}

interface ShownToast extends Toast {
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

function dismiss(id: number) {
  change(shown.filter((toast) => toast.id !== id))
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The container of the toasts. The application renders it once. */
export function ToastRegion() {
  const toasts = useSyncExternalStore(subscribe, () => shown)
  return (
    <div
      aria-live="polite"
      className="pointer-events-none fixed inset-x-0 bottom-0 z-40 flex flex-col items-center gap-2 p-4 print:hidden"
    >
      {toasts.map((toast) => (
        <ToastLine key={toast.id} toast={toast} />
      ))}
    </div>
  )
}

function ToastLine({ toast }: { readonly toast: ShownToast }) {
  const { t } = useLingui()
  const { id, text, tone = 'success', action } = toast
  const lasts = toast.lasts ?? (action ? 8000 : 3000)
  const [isPointedAt, setPointedAt] = useState(false)
  const [isFocused, setFocused] = useState(false)
  const isHeld = isPointedAt || isFocused

  // A toast under the pointer or with the focus stays (WCAG 2.2.1).
  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(() => dismiss(id), lasts)
    return () => clearTimeout(timer)
  }, [id, lasts, isHeld])

  return (
    <div
      onPointerEnter={() => setPointedAt(true)}
      onPointerLeave={() => setPointedAt(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
      className={cx(
        'pointer-events-auto flex max-w-full animate-appear items-center gap-3 rounded-md border-l-4 bg-ink py-1.5 pr-1.5 pl-4 text-desk shadow-raised',
        tone === 'success' ? 'border-[light-dark(#7fc796,#1d6638)]' : 'border-[light-dark(#f0937f,#a0271c)]',
      )}
    >
      <Icon name={tone === 'success' ? 'check' : 'alert'} className="shrink-0" />
      <div className="py-1.5 text-sm">{text}</div>
      {action && (
        <button
          type="button"
          onClick={() => {
            dismiss(id)
            action.onSelect()
          }}
          className="min-h-9 rounded-sm px-2.5 text-sm font-semibold underline underline-offset-4 focus-visible:outline-desk"
        >
          {action.label}
        </button>
      )}
      <IconButton
        icon="close"
        label={t`Закрити`}
        onClick={() => dismiss(id)}
        className="size-9 text-desk! hover:bg-transparent! focus-visible:outline-desk"
      />
    </div>
  )
}
