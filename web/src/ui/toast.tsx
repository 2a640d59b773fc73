import { Suspense, useEffect } from 'react'

import { later } from '@/lib/later'
import { whenIdle } from '@/lib/when-idle'

import { useToasts } from './toasts'

export { showToast, type Toast } from './toasts'

const loadLines = async () => (await import('./toast-lines')).ToastLines
const ToastLines = later(loadLines)

/** The container of the toasts. The application renders it once. What it shows is loaded when the browser is idle. */
export function ToastRegion() {
  const toasts = useToasts()
  // A failed load is repeated when there is something to show.
  useEffect(() => whenIdle(() => void loadLines().catch(() => undefined)), [])
  return (
    <div aria-live="polite" className="pointer-events-none fixed inset-x-0 bottom-0 z-40 px-4 print:hidden">
      <Suspense
        // Without the server the lines may never come, and what they say must be read all the same.
        fallback={toasts.length > 0 && <p className="bg-ink p-4 text-desk">{toasts.at(-1)?.text}</p>}
      >
        {toasts.length > 0 && <ToastLines toasts={toasts} />}
      </Suspense>
    </div>
  )
}
