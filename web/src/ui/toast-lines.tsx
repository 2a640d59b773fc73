import { useLingui } from '@lingui/react/macro'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'

import { IconButton } from './button'
import { cx } from './cx'
import { freeFoot } from './free-foot'
import { Icon } from './icons'
import { dismissToast, type ShownToast } from './toasts'

/** How often a place is looked for: the page may change below a toast. */
const LOOK_EVERY_MS = 150

/** What a toast must not lie on: main buttons, bars with them, and what has the focus (WCAG 2.4.11). */
const UNCOVERED = 'main .bg-seal, main [data-bar], footer a:focus, main :focus'

/** The toasts, as low on the screen as nothing important is below them. */
export function ToastLines({ toasts }: { readonly toasts: readonly ShownToast[] }) {
  const ref = useRef<HTMLDivElement>(null)
  const [foot, setFoot] = useState(0)
  useLayoutEffect(() => {
    if (toasts.length === 0) return
    function look() {
      const lines = ref.current
      // A toast that somebody is about to press stays where it is.
      if (lines === null || lines.matches(':hover, :focus-within')) return
      const { left, right, height } = lines.getBoundingClientRect()
      const covered = [...document.querySelectorAll(UNCOVERED)].map((element) =>
        element.getBoundingClientRect(),
      )
      setFoot(freeFoot({ left, right, height }, covered, window.innerHeight))
    }
    look()
    const timer = setInterval(look, LOOK_EVERY_MS)
    document.addEventListener('scroll', look, { passive: true, capture: true })
    return () => {
      clearInterval(timer)
      document.removeEventListener('scroll', look, { capture: true })
    }
  }, [toasts])
  return (
    <div
      ref={ref}
      data-toasts=""
      style={{ marginBottom: foot }}
      className="mx-auto flex w-fit max-w-full flex-col items-center gap-2 py-4"
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
    const timer = setTimeout(() => dismissToast(id), lasts)
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
            dismissToast(id)
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
        onClick={() => dismissToast(id)}
        className="size-9 text-desk! hover:bg-transparent! focus-visible:outline-desk"
      />
    </div>
  )
}
