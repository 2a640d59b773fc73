import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef, useState, type ReactNode, type Ref } from 'react'

import { civilDate, kyivDate } from '@/lib/dates'
import { orderStatusLook } from '@/lib/order-status'
import { orderStatuses } from '@/lib/order-statuses'
import { daysOf, type Days, type Preset } from '@/lib/periods'
import { readWholeDate } from '@/lib/typed-date'
import { Button } from '@/ui/button'
import { DateField } from '@/ui/date-field'
import { FoldOut } from '@/ui/fold-out'
import { Select } from '@/ui/select'
import { TextField } from '@/ui/text-field'

import { filterOf, isFiltered, type ArchiveSearch } from './filter'

/** The debounce of the text search. */
const SEARCH_AFTER_MS = 400

/** The server's limit of the text search, in characters. */
const SEARCH_CHARS_MAX = 140

interface FilterBarProps {
  readonly ref: Ref<HTMLFormElement>
  readonly address: ArchiveSearch
  readonly text: string
  /** `again`: the same field was edited before; the history entry is replaced. */
  readonly onChange: (part: 'status' | 'from' | 'to', value: string, again: boolean) => void
  /** A ready-made period; null for all days. */
  readonly onPeriod: (days: Days | null) => void
  readonly onSearch: (text: string) => void
  readonly onReset: () => void
  /** The number of resets; each discards what is still being typed. */
  readonly resets: number
}

/** The filter by status, period and text, in one row where there is room. */
export function FilterBar({
  ref,
  address,
  text,
  onChange,
  onPeriod,
  onSearch,
  onReset,
  resets,
}: FilterBarProps) {
  const { t, i18n } = useLingui()
  const active = isFiltered(filterOf(address, text))
  return (
    <form
      ref={ref}
      tabIndex={-1}
      role="search"
      aria-label={t`Пошук в архіві`}
      onSubmit={(event) => event.preventDefault()}
      className="relative grid grid-cols-[minmax(0,1fr)] items-start gap-3 outline-offset-8 min-[360px]:grid-cols-2 sm:flex print:hidden"
    >
      <SearchField key={resets} text={text} onSearch={onSearch} />
      <Select
        className="sm:w-44 [&>label]:sr-only"
        label={t`Статус`}
        placeholder={t`Усі статуси`}
        options={orderStatuses.map((status) => ({
          value: status,
          label: i18n._(orderStatusLook(status).text),
        }))}
        value={address.status ?? ''}
        onChange={({ target }) => onChange('status', target.value, false)}
      />
      <FoldOut label={<PeriodName {...address} />} isUsed={Boolean(address.from ?? address.to)}>
        <div className="grid grid-cols-2 gap-3">
          <PeriodDate
            key={`from ${resets}`}
            name="from"
            label={t`Від дати`}
            value={address.from ?? ''}
            onTell={(value, again) => onChange('from', value, again)}
          />
          <PeriodDate
            key={`to ${resets}`}
            name="to"
            label={t`До дати`}
            value={address.to ?? ''}
            onTell={(value, again) => onChange('to', value, again)}
          />
          <Periods address={address} onPeriod={onPeriod} />
        </div>
      </FoldOut>
      {active && (
        <Button icon="close" onClick={onReset}>
          <Trans>Скинути фільтри</Trans>
        </Button>
      )}
    </form>
  )
}

/** The period in use. */
function PeriodName({ from, to }: ArchiveSearch) {
  if (from !== undefined && to !== undefined) {
    const [first, last] = [civilDate(from), civilDate(to)]
    return first === last ? (
      <Trans>Період: {first}</Trans>
    ) : (
      <Trans>
        Період: {first} – {last}
      </Trans>
    )
  }
  if (from !== undefined) return <Trans>Період: від {civilDate(from)}</Trans>
  if (to !== undefined) return <Trans>Період: до {civilDate(to)}</Trans>
  return <Trans>Період: увесь час</Trans>
}

/** The ready-made periods. The pressed one is given up by another press. */
function Periods({ address, onPeriod }: Pick<FilterBarProps, 'address' | 'onPeriod'>) {
  const { t } = useLingui()
  const [today] = useState(() => kyivDate(new Date()))
  const names: readonly (readonly [Preset, ReactNode])[] = [
    ['today', <Trans key="today">Сьогодні</Trans>],
    ['yesterday', <Trans key="yesterday">Вчора</Trans>],
    ['this_week', <Trans key="week">Цей тиждень</Trans>],
    ['this_month', <Trans key="month">Цей місяць</Trans>],
    ['last_month', <Trans key="last">Минулий місяць</Trans>],
    ['this_quarter', <Trans key="quarter">Цей квартал</Trans>],
    ['this_year', <Trans key="year">Цей рік</Trans>],
  ]
  return (
    <div role="group" aria-label={t`Період`} className="col-span-full flex flex-wrap gap-2 print:hidden">
      {names.map(([preset, name]) => {
        const days = daysOf(preset, today)
        const pressed = days.from === address.from && days.to === address.to
        return (
          <Button
            key={preset}
            size="small"
            variant={pressed ? 'primary' : 'quiet'}
            aria-pressed={pressed}
            onClick={() => onPeriod(pressed ? null : days)}
          >
            {name}
          </Button>
        )
      })}
    </div>
  )
}

interface PeriodDateProps {
  /** Its name in the address. */
  readonly name: 'from' | 'to'
  readonly label: string
  readonly value: string
  readonly onTell: (value: string, again: boolean) => void
}

const textOf = (day: string) => (day === '' ? '' : civilDate(day))

/**
 * A day of the period. It is reported when it is complete or the field is left. The field keeps its own text, since the day from the
 * address arrives too late and would overwrite what is being typed.
 */
function PeriodDate({ name, label, value, onTell }: PeriodDateProps) {
  const [typed, setTyped] = useState(() => textOf(value))
  /** Whether a day was reported since the field was focused. */
  const [edited, setEdited] = useState(false)
  /** Reported days that have not come back through the address yet. */
  const [awaited, setAwaited] = useState<readonly string[]>([])
  const [seen, setSeen] = useState(value)
  if (seen !== value) {
    const own = awaited.indexOf(value)
    setSeen(value)
    setAwaited(own === -1 ? [] : awaited.slice(own + 1))
    // The day was changed from outside: by Back or by a reset.
    if (own === -1) setTyped(textOf(value))
  }

  useEffect(() => {
    // Back may come before the page has the day that was reported, and then `value` does not change.
    const follow = () => {
      setTyped(textOf(new URLSearchParams(window.location.search).get(name) ?? ''))
      setAwaited([])
    }
    window.addEventListener('popstate', follow)
    return () => window.removeEventListener('popstate', follow)
  }, [name])

  function change(text: string) {
    setTyped(text)
    const day = text === '' ? '' : readWholeDate(text)
    if (day === null || day === (awaited.at(-1) ?? value)) return
    onTell(day, edited)
    setEdited(true)
    setAwaited([...awaited, day])
  }

  return (
    <DateField
      label={label}
      value={typed}
      onFocus={() => setEdited(false)}
      onValueChange={change}
      onBlur={() => setAwaited([])}
    />
  )
}

/**
 * Returns a function that acts at once, or when the pointer that is pressed is let go: what moves under a pressed pointer takes its click
 * away.
 */
function useAfterPress() {
  const isPressed = useRef(false)
  useEffect(() => {
    const end = new AbortController()
    const options = { capture: true, signal: end.signal }
    document.addEventListener('pointerdown', () => (isPressed.current = true), options)
    for (const name of ['pointerup', 'pointercancel'] as const)
      document.addEventListener(name, () => (isPressed.current = false), options)
    return () => end.abort()
  }, [])
  return (act: () => void) => {
    if (isPressed.current) document.addEventListener('pointerup', act, { once: true })
    else act()
  }
}

/** The text search, debounced. */
function SearchField({
  text,
  onSearch,
}: {
  readonly text: string
  readonly onSearch: (text: string) => void
}) {
  const { t } = useLingui()
  const afterPress = useAfterPress()
  const [typed, setTyped] = useState(text)
  // The text was changed from outside: by Back or by a reset.
  const [seen, setSeen] = useState(text)
  if (seen !== text) {
    setSeen(text)
    if (typed.trim() !== text) setTyped(text)
  }

  useEffect(() => {
    if (typed.trim() === text) return undefined
    const timer = setTimeout(() => onSearch(typed.trim()), SEARCH_AFTER_MS)
    return () => clearTimeout(timer)
    // Only typing starts the timer.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [typed])

  return (
    <TextField
      className="min-w-0 grow min-[360px]:max-sm:col-span-2 [&>label]:sr-only"
      type="search"
      label={t`Клієнт, код, номер, сума, отримувач або дія`}
      placeholder={t`Клієнт, код, номер, сума, отримувач або дія`}
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
      // Who goes on to an order at once comes back to what was searched for.
      onBlur={() => {
        if (typed.trim() !== text) afterPress(() => onSearch(typed.trim()))
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onSearch(typed.trim())
      }}
      autoComplete="off"
      maxLength={SEARCH_CHARS_MAX}
    />
  )
}
