import {
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
} from 'react'
import { cx } from './cx'
import { buttonClass, type ButtonSize } from './button'
import { Icon, type IconName } from './icons'

interface MenuItem {
  /** Tells it from its neighbours. */
  readonly id: string
  readonly label: ReactNode
  readonly onSelect: () => void
  readonly icon?: IconName
  /** Says which of several is in force; the item becomes one of a radio group. */
  readonly checked?: boolean
}

export interface MenuProps {
  /** What the button says. */
  readonly label: ReactNode
  /** The accessible name, where the label alone does not tell, as "Receipts of order 1042". */
  readonly accessibleLabel?: string
  readonly items: readonly MenuItem[]
  readonly icon?: IconName
  readonly size?: ButtonSize
  /** Which edge of the button the list is flush with. */
  readonly align?: 'start' | 'end'
  /** Classes of the button, instead of the quiet button's. */
  readonly buttonClassName?: string
  readonly className?: string
}

/** A button that opens a list of actions: arrows, Home, End, first letters, Esc and Tab work as in a desktop's menu. */
export function Menu({
  label,
  accessibleLabel,
  items,
  icon,
  size = 'normal',
  align = 'start',
  buttonClassName,
  className,
}: MenuProps) {
  const [open, setOpen] = useState(false)
  const buttonRef = useRef<HTMLButtonElement>(null)
  const listRef = useRef<HTMLDivElement>(null)
  const menuId = useId()

  const entries = () => [...(listRef.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])]

  // A list that would begin outside of a narrow window is flush with the other edge of its button.
  useLayoutEffect(() => {
    const list = listRef.current
    if (list === null) return undefined
    const keepInside = () => {
      list.style.inset = ''
      if (list.getBoundingClientRect().left < 0) list.style.inset = '100% auto auto 0'
    }
    keepInside()
    window.addEventListener('resize', keepInside)
    return () => window.removeEventListener('resize', keepInside)
  }, [open])

  useEffect(() => {
    if (open) listRef.current?.querySelector<HTMLElement>('[aria-checked=true], [role^=menuitem]')?.focus()
  }, [open])

  function close(refocus: boolean) {
    setOpen(false)
    if (refocus) buttonRef.current?.focus()
  }

  function move(event: KeyboardEvent) {
    const all = entries()
    const current = all.findIndex((entry) => entry === document.activeElement)
    const letter = event.key.length === 1 ? event.key.toLocaleLowerCase() : null
    let next: HTMLElement | undefined
    if (event.key === 'ArrowDown') next = all[(current + 1) % all.length]
    else if (event.key === 'ArrowUp') next = all[(current - 1 + all.length) % all.length]
    else if (event.key === 'Home') next = all[0]
    else if (event.key === 'End') next = all.at(-1)
    else if (event.key === 'Escape') {
      event.stopPropagation()
      close(true)
    } else if (letter !== null && letter !== ' ') {
      next = [...all.slice(current + 1), ...all].find((entry) =>
        entry.textContent.trim().toLocaleLowerCase().startsWith(letter),
      )
    }
    if (next) {
      event.preventDefault()
      next.focus()
    }
  }

  function leave(event: FocusEvent) {
    if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false)
  }

  return (
    <div className={cx('relative inline-flex', className)} onBlur={leave}>
      <button
        ref={buttonRef}
        type="button"
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? menuId : undefined}
        aria-label={accessibleLabel}
        onClick={() => setOpen(!open)}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
            event.preventDefault()
            setOpen(true)
          }
        }}
        className={buttonClassName ?? buttonClass({ size })}
      >
        {icon && <Icon name={icon} size={size === 'small' ? 18 : 20} className="shrink-0" />}
        {label}
        <Icon
          name="chevron"
          size={16}
          className={cx('shrink-0 transition-transform', open && 'rotate-180')}
        />
      </button>
      {open && (
        <div
          ref={listRef}
          id={menuId}
          role="menu"
          aria-label={accessibleLabel}
          tabIndex={-1}
          onKeyDown={move}
          className={cx(
            'absolute top-full z-20 mt-1 min-w-full animate-appear rounded-md border border-rule bg-sheet p-1 shadow-raised',
            align === 'end' ? 'right-0' : 'left-0',
          )}
        >
          {items.map((item) => (
            <button
              key={item.id}
              type="button"
              role={item.checked === undefined ? 'menuitem' : 'menuitemradio'}
              aria-checked={item.checked}
              tabIndex={-1}
              onClick={() => {
                close(true)
                item.onSelect()
              }}
              className="flex min-h-11 w-full items-center gap-2.5 rounded-sm px-3 py-2 text-left text-sm whitespace-nowrap hover:bg-inset focus-visible:bg-seal-wash focus-visible:outline-offset-[-2px]"
            >
              {item.icon && <Icon name={item.icon} size={18} className="shrink-0 text-ink-soft" />}
              <span className="grow">{item.label}</span>
              {item.checked && <Icon name="check" size={18} className="shrink-0 text-seal" />}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
