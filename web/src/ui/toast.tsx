import { Suspense, useEffect, useState } from 'react'

import { later } from '@/lib/later'
import { whenIdle } from '@/lib/when-idle'

import { useToasts } from './toasts'

export { showToast, type Toast } from './toasts'

const ToastLines = later(async () => (await import('./toast-lines')).ToastLines)

/** The container of the toasts. The application renders it once. */
export function ToastRegion() {
  const toasts = useToasts()
  // What draws the toasts is there before the first one: drawn anew, a toast would be read aloud twice.
  const [isIdle, setIdle] = useState(false)
  useEffect(() => whenIdle(() => setIdle(true)), [])
  return (
    <div aria-live="polite" className="pointer-events-none fixed inset-x-0 bottom-0 z-40 px-4 print:hidden">
      <Suspense
        // Without the server the lines may never come, and what they say must be read all the same.
        fallback={toasts.length > 0 && <p className="bg-ink p-4 text-desk">{toasts.at(-1)?.text}</p>}
      >
        {(isIdle || toasts.length > 0) && <ToastLines toasts={toasts} />}
      </Suspense>
    </div>
  )
}
