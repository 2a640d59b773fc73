import { useEffect, useId, useRef, useState, type ReactNode } from 'react'

import { buttonClass } from './button'
import { cx } from './cx'
import { Icon } from './icons'

interface FoldOutProps {
  readonly label: ReactNode
  /** Something in the panel is in use. */
  readonly isUsed: boolean
  readonly children: ReactNode
}

/** A button with a panel of fields below it. Esc, a press elsewhere, and leaving it by Tab fold it away; what was typed stays. */
export function FoldOut({ label, isUsed, children }: FoldOutProps) {
  const [open, setOpen] = useState(false)
  const whole = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const panelId = useId()
  useEffect(() => {
    if (!open) return undefined
    const press = ({ target }: PointerEvent) => {
      if (target instanceof Node && whole.current?.contains(target) === false) setOpen(false)
    }
    document.addEventListener('pointerdown', press)
    return () => document.removeEventListener('pointerdown', press)
  }, [open])
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- only the keys of what is in it
    <div
      ref={whole}
      onBlur={({ relatedTarget }) => {
        if (relatedTarget !== null && whole.current?.contains(relatedTarget) === false) setOpen(false)
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open) return
        event.stopPropagation()
        setOpen(false)
        button.current?.focus()
      }}
      className="sm:relative print:hidden"
    >
      <button
        ref={button}
        type="button"
        aria-expanded={open}
        aria-controls={panelId}
        onClick={() => setOpen(!open)}
        className={cx(buttonClass(), 'w-full', isUsed && 'border-seal! text-seal!')}
      >
        {label}
        <Icon
          name="chevron"
          size={16}
          className={cx('shrink-0 transition-transform', open && 'rotate-180')}
        />
      </button>
      <div
        id={panelId}
        hidden={!open}
        className="absolute inset-x-0 top-full z-20 mt-1 rounded-md border border-edge bg-sheet p-4 shadow-raised sm:right-0 sm:left-auto sm:w-88"
      >
        {children}
      </div>
    </div>
  )
}
