import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useState, type ReactNode } from 'react'

import { ORDER_STATUSES, orderStatusText } from '@/lib/order-status'
import { Button } from '@/ui/button'
import { Select } from '@/ui/select'
import { TextField } from '@/ui/text-field'

import type { AddressFilter } from './filter'

/** How long the typing has to rest before the server is asked. */
const SEARCH_AFTER_MS = 400

interface FilterBarProps {
  readonly address: AddressFilter
  readonly text: string
  readonly onChange: (part: 'status' | 'from' | 'to', value: string) => void
  readonly onSearch: (text: string) => void
  readonly onReset: () => void
  /** What can be done with all that is found. */
  readonly actions: ReactNode
}

/** Status, period and text, all at work together. */
export function FilterBar({ address, text, onChange, onSearch, onReset, actions }: FilterBarProps) {
  const { t, i18n } = useLingui()
  const active = text !== '' || Object.keys(address).length > 0
  return (
    <form
      role="search"
      aria-label={t`Пошук в архіві`}
      onSubmit={(event) => event.preventDefault()}
      className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 min-[360px]:grid-cols-2 xl:grid-cols-[minmax(0,1.5fr)_minmax(0,1fr)_10.5rem_10.5rem]"
    >
      <SearchField text={text} onSearch={onSearch} />
      <Select
        className="min-[360px]:max-sm:col-span-2"
        label={t`Статус`}
        placeholder={t`Усі`}
        options={ORDER_STATUSES.map((status) => ({ value: status, label: i18n._(orderStatusText[status]) }))}
        value={address.status ?? ''}
        onChange={({ target }) => onChange('status', target.value)}
      />
      <TextField
        type="date"
        label={t`Від дати`}
        value={address.from ?? ''}
        max={address.to}
        onChange={({ target }) => onChange('from', target.value)}
      />
      <TextField
        type="date"
        label={t`До дати`}
        value={address.to ?? ''}
        min={address.from}
        onChange={({ target }) => onChange('to', target.value)}
      />
      <div className="col-span-full flex flex-wrap items-start gap-3">
        {active && (
          <Button size="small" icon="close" onClick={onReset}>
            <Trans>Скинути умови</Trans>
          </Button>
        )}
        {actions}
      </div>
    </form>
  )
}

/** What is typed, and what is searched for once the typing rests. */
function SearchField({
  text,
  onSearch,
}: {
  readonly text: string
  readonly onSearch: (text: string) => void
}) {
  const { t } = useLingui()
  const [typed, setTyped] = useState(text)
  // Back, and the reset, bring another text from outside.
  const [seen, setSeen] = useState(text)
  if (seen !== text) {
    setSeen(text)
    if (typed.trim() !== text) setTyped(text)
  }

  useEffect(() => {
    if (typed.trim() === text) return undefined
    const timer = setTimeout(() => onSearch(typed.trim()), SEARCH_AFTER_MS)
    return () => clearTimeout(timer)
    // The typing alone starts the clock.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [typed])

  return (
    <TextField
      className="min-[360px]:max-sm:col-span-2"
      type="search"
      label={t`Клієнт, код або номер замовлення`}
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onSearch(typed.trim())
      }}
      autoComplete="off"
      maxLength={100}
    />
  )
}
