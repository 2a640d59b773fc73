import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useId, useRef, useState, type KeyboardEvent, type RefObject } from 'react'

import { FailedLine } from '@/forms/failed'
import { usePausedText } from '@/lib/use-paused-text'
import { Button } from '@/ui/button'
import { cx } from '@/ui/cx'
import { Dialog } from '@/ui/dialog'
import { TextField } from '@/ui/text-field'

import { useSources, type Found, type Source } from './sources'

/** The pause after the last keystroke before the server is asked. */
const SEARCH_AFTER_MS = 250

/** The server's limit of a search, in characters. */
const SEARCH_CHARS_MAX = 140

interface PaletteProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly onHelp: () => void
}

/** The command palette: leads to a page or an order by a few letters. */
export function Palette({ open, onClose, onHelp }: PaletteProps) {
  const { t } = useLingui()
  const field = useRef<HTMLInputElement>(null)
  // After the dialog has focused its first button.
  useEffect(() => {
    if (open) field.current?.focus()
  }, [open])
  return (
    <Dialog open={open} onClose={onClose} title={t`Перейти`}>
      <Search field={field} onClose={onClose} />
      <div>
        <Button size="small" onClick={onHelp}>
          <Trans>Комбінації клавіш</Trans>
        </Button>
      </div>
    </Dialog>
  )
}

interface SearchProps {
  readonly field: RefObject<HTMLInputElement | null>
  readonly onClose: () => void
}

/** What is found, and which of it the arrows have chosen. Enter follows it. */
function useChoice(sources: readonly Source[], isCurrent: boolean, onClose: () => void) {
  const [place, setPlace] = useState(0)
  const all = sources.flatMap(({ found }) => found)
  const active = all[Math.min(place, all.length - 1)]
  const follow = (found: Found | undefined) => {
    if (found === undefined) return
    onClose()
    found.go()
  }
  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    // What is typed may be newer than what was looked for.
    if (event.key === 'Enter' && isCurrent) follow(active)
    else if (step !== undefined && all.length > 0) {
      setPlace((Math.min(place, all.length - 1) + step + all.length) % all.length)
    } else return
    event.preventDefault()
  }
  return { count: all.length, active, follow, move, restart: () => setPlace(0) }
}

function Search({ field, onClose }: SearchProps) {
  const { t } = useLingui()
  const listId = useId()
  const [typed, setTyped] = useState('')
  const text = usePausedText(typed.trim(), SEARCH_AFTER_MS)
  const isCurrent = typed.trim() === text
  const sources = useSources(text)
  const { count, active, follow, move, restart } = useChoice(sources, isCurrent, onClose)
  const failure = sources.find((source) => source.failure !== null)?.failure ?? null
  const isBusy = !isCurrent || sources.some((source) => source.isBusy)
  return (
    <>
      <TextField
        type="search"
        role="combobox"
        aria-expanded={count > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        {...(active && { 'aria-activedescendant': `${listId}-${active.id}` })}
        label={t`Сторінка, номер замовлення, клієнт або сума`}
        value={typed}
        onValueChange={(value) => {
          setTyped(value)
          restart()
        }}
        onKeyDown={move}
        autoComplete="off"
        maxLength={SEARCH_CHARS_MAX}
        ref={field}
      />
      <p role="status" className="sr-only">
        {!isBusy && t`Знайдено: ${count}`}
      </p>
      <div
        id={listId}
        role="listbox"
        aria-label={t`Знайдене`}
        aria-busy={isBusy}
        className="flex flex-col gap-3"
      >
        {sources.map((source) => (
          <Group key={source.id} source={source} listId={listId} active={active} onFollow={follow} />
        ))}
      </div>
      {count === 0 && !isBusy && failure === null && (
        <p className="text-ink-soft">
          <Trans>Нічого не знайдено</Trans>
        </p>
      )}
      <FailedLine failure={failure} className="text-sm" />
    </>
  )
}

interface GroupProps {
  readonly source: Source
  readonly listId: string
  readonly active: Found | undefined
  readonly onFollow: (found: Found) => void
}

function Group({ source, listId, active, onFollow }: GroupProps) {
  const { id, name, found } = source
  if (found.length === 0) return null
  return (
    <div role="group" aria-labelledby={`${listId}-${id}`}>
      <p id={`${listId}-${id}`} className="caption-line pb-1">
        {name}
      </p>
      {found.map((each) => (
        // The field keeps the focus; its arrows and Enter choose (the pattern of a combobox).
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
        <div
          key={each.id}
          id={`${listId}-${each.id}`}
          role="option"
          aria-selected={each === active}
          onClick={() => onFollow(each)}
          className={cx(
            'flex min-h-11 cursor-pointer items-center justify-between gap-3 rounded-sm px-3 py-1.5 hover:bg-inset',
            each === active && 'bg-seal-wash',
          )}
        >
          <span className="min-w-0 wrap-anywhere">{each.text}</span>
          <span className="text-sm whitespace-nowrap text-ink-soft">{each.aside}</span>
        </div>
      ))}
    </div>
  )
}
