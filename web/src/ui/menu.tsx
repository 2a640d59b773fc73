import {
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react'
import { cx } from './cx'
import { buttonClass, type ButtonSize } from './button'
import { Icon, type IconName } from './icons'

interface MenuItem {
  /** Unique in the menu. */
  readonly id: string
  readonly label: ReactNode
  readonly onSelect: () => void
  readonly icon?: IconName
  /** Whether this item is the chosen one. The items of its group are then a radio group. */
  readonly checked?: boolean
  /** The name of its group, where the menu has several. The items of a group follow each other. */
  readonly group?: string
}

export interface MenuProps {
  /** The label of the button. */
  readonly label: ReactNode
  /** The accessible name, where the label alone is ambiguous, such as "Receipts of order 1042". */
  readonly accessibleLabel?: string
  readonly items: readonly MenuItem[]
  readonly icon?: IconName
  readonly size?: ButtonSize
  /** The edge of the button that the list is aligned with. */
  readonly align?: 'start' | 'end'
  /** Classes of the button, instead of the default ones. */
  readonly buttonClassName?: string
  readonly className?: string
}

/** A button that opens a list of actions. Arrows, Home, End, first letters, Esc and Tab work as in a desktop menu. */
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
  const menuId = useId()

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
        title={accessibleLabel}
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
        <MenuList
          id={menuId}
          accessibleLabel={accessibleLabel}
          items={items}
          align={align}
          onClose={() => {
            setOpen(false)
            buttonRef.current?.focus()
          }}
        />
      )}
    </div>
  )
}

interface MenuListProps {
  readonly id: string
  readonly accessibleLabel: string | undefined
  readonly items: readonly MenuItem[]
  readonly align: 'start' | 'end'
  /** Called when an item was chosen or Esc was pressed; moves the focus back to the button. */
  readonly onClose: () => void
}

/** The open list. Its checked item, or else the first one, has the focus. */
function MenuList({ id, accessibleLabel, items, align, onClose }: MenuListProps) {
  const list = useRef<HTMLDivElement>(null)
  useStayInWindow(list)
  useEffect(() => {
    list.current?.querySelector<HTMLElement>('[aria-checked=true], [role^=menuitem]')?.focus()
  }, [])

  function move(event: KeyboardEvent) {
    if (event.key === 'Escape') {
      event.stopPropagation()
      onClose()
      return
    }
    const entries = [...(list.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])]
    const next = entryFor(event.key, entries)
    if (next) {
      event.preventDefault()
      next.focus()
    }
  }

  return (
    <div
      ref={list}
      id={id}
      role="menu"
      aria-label={accessibleLabel}
      tabIndex={-1}
      onKeyDown={move}
      className={cx(
        'absolute top-full z-20 mt-1 min-w-full animate-appear rounded-md border border-rule bg-sheet p-1 shadow-raised',
        align === 'end' ? 'right-0' : 'left-0',
      )}
    >
      {groupsOf(items).map(({ name, members }) =>
        name === undefined ? (
          members.map((item) => <MenuEntry key={item.id} item={item} onClose={onClose} />)
        ) : (
          <div key={name} role="group" aria-label={name} className="not-first:mt-1">
            <p aria-hidden="true" className="caption-line px-3 pt-2 pb-1">
              {name}
            </p>
            {members.map((item) => (
              <MenuEntry key={item.id} item={item} onClose={onClose} />
            ))}
          </div>
        ),
      )}
    </div>
  )
}

/** The items by their groups, in their order. */
function groupsOf(items: readonly MenuItem[]) {
  const names = [...new Set(items.map(({ group }) => group))]
  return names.map((name) => ({ name, members: items.filter(({ group }) => group === name) }))
}

interface MenuEntryProps {
  readonly item: MenuItem
  readonly onClose: () => void
}

function MenuEntry({ item, onClose }: MenuEntryProps) {
  return (
    <button
      type="button"
      role={item.checked === undefined ? 'menuitem' : 'menuitemradio'}
      aria-checked={item.checked}
      tabIndex={-1}
      onClick={() => {
        onClose()
        item.onSelect()
      }}
      className="flex min-h-11 w-full items-center gap-2.5 rounded-sm px-3 py-2 text-left text-sm whitespace-nowrap hover:bg-inset focus-visible:bg-seal-wash focus-visible:outline-offset-[-2px]"
    >
      {item.icon && <Icon name={item.icon} size={18} className="shrink-0 text-ink-soft" />}
      <span className="grow">{item.label}</span>
      {item.checked && <Icon name="check" size={18} className="shrink-0 text-seal" />}
    </button>
  )
}

/** Aligns a list that would begin or end outside of the window with the other edge of its button. */
function useStayInWindow(ref: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => {
    const list = ref.current
    if (list === null) return undefined
    const keepInside = () => {
      list.style.inset = ''
      const { left, right } = list.getBoundingClientRect()
      if (left < 0) list.style.inset = '100% auto auto 0'
      else if (right > document.documentElement.clientWidth) list.style.inset = '100% 0 auto auto'
    }
    // The page may be laid out anew after the resize event. Its height then changes, and the observer also begins with a call.
    const layout = new ResizeObserver(keepInside)
    layout.observe(document.body)
    return () => layout.disconnect()
  }, [ref])
}

/** Returns the entry that the key moves the focus to, if any. */
function entryFor(key: string, entries: readonly HTMLElement[]): HTMLElement | undefined {
  const current = entries.findIndex((entry) => entry === document.activeElement)
  switch (key) {
    case 'ArrowDown':
      return entries[(current + 1) % entries.length]
    case 'ArrowUp':
      return entries[(current - 1 + entries.length) % entries.length]
    case 'Home':
      return entries[0]
    case 'End':
      return entries.at(-1)
    case ' ':
      return undefined
  }
  if (key.length !== 1) return undefined
  const letter = key.toLocaleLowerCase()
  return [...entries.slice(current + 1), ...entries].find((entry) =>
    entry.textContent.trim().toLocaleLowerCase().startsWith(letter),
  )
}
