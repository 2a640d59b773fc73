import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'

import type { DayBasis, Days } from '@/api/reports'
import { messageText } from '@/i18n/message-texts'
import { daysOf } from '@/lib/periods'
import { civilDate } from '@/lib/dates'
import { readDate } from '@/lib/typed-date'
import { Button, buttonClass } from '@/ui/button'
import { DateField } from '@/ui/date-field'
import { Select } from '@/ui/select'

import { presets, type ReportSearch } from './periods'

/** The reasons at the days that the server has refused. */
type RefusedDays = Readonly<Record<keyof Days, string | undefined>>

interface PeriodBarProps {
  readonly days: Days
  readonly by: DayBasis
  /** The day in Kyiv. */
  readonly today: string
  readonly refused: RefusedDays
  readonly onChange: (search: ReportSearch) => void
}

/** The choice of the period and of the day that counts. */
export function PeriodBar({ days, by, today, refused, onChange }: PeriodBarProps) {
  const { t } = useLingui()
  const names: Record<(typeof presets)[number], ReactNode> = {
    this_month: <Trans>Цей місяць</Trans>,
    last_month: <Trans>Минулий місяць</Trans>,
    this_quarter: <Trans>Цей квартал</Trans>,
    last_quarter: <Trans>Минулий квартал</Trans>,
    this_year: <Trans>Цей рік</Trans>,
  }
  return (
    <div className="flex flex-col gap-4">
      <nav aria-label={t`Період`} className="flex flex-wrap gap-2 print:hidden">
        {presets.map((preset) => {
          const wanted = daysOf(preset, today)
          const current = wanted.from === days.from && wanted.to === days.to
          return (
            <Link
              key={preset}
              to="/reports"
              search={{ ...wanted, by }}
              activeProps={{}}
              aria-current={current ? 'true' : undefined}
              className={buttonClass({ size: 'small', variant: current ? 'primary' : 'quiet' })}
            >
              {names[preset]}
            </Link>
          )
        })}
      </nav>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 sm:grid-cols-[minmax(0,2fr)_minmax(0,1fr)] print:hidden">
        <DaysForm days={days} refused={refused} onChange={(chosen) => onChange({ ...chosen, by })} />
        <Select
          label={t`Рахувати за днем`}
          options={[
            { value: 'payment', label: t`оплати` },
            { value: 'crediting', label: t`зарахування` },
          ]}
          value={by}
          onChange={({ target }) =>
            onChange({ ...days, by: target.value === 'crediting' ? 'crediting' : 'payment' })
          }
        />
      </div>
    </div>
  )
}

interface DaysFormProps {
  readonly days: Days
  readonly refused: RefusedDays
  readonly onChange: (days: Days) => void
}

/** Two dates. They are taken over by the button, so that a half-typed date asks for nothing. */
function DaysForm({ days, refused, onChange }: DaysFormProps) {
  const { t, i18n } = useLingui()
  const [shown, setShown] = useState(days)
  const [typedFrom, setFrom] = useState(() => civilDate(days.from))
  const [typedTo, setTo] = useState(() => civilDate(days.to))
  const [checked, setChecked] = useState(false)
  // Another period was chosen. The form itself stays, and with it the focus of its button.
  if (shown.from !== days.from || shown.to !== days.to) {
    setShown(days)
    setFrom(civilDate(days.from))
    setTo(civilDate(days.to))
    setChecked(false)
  }
  const from = readDate(typedFrom) ?? ''
  const to = readDate(typedTo) ?? ''
  const isRefused = from === days.from && to === days.to
  const missing = t`Укажіть дату`
  const isReversed = from !== '' && to !== '' && from > to
  const fromError = from === '' ? missing : null
  const toError = to === '' ? missing : isReversed ? messageText('period_invalid', i18n) : null
  return (
    <form
      noValidate
      aria-label={t`Період за датами`}
      className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 min-[360px]:grid-cols-2 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto]"
      onSubmit={(event) => {
        event.preventDefault()
        setChecked(true)
        if (fromError === null && toError === null) return onChange({ from, to })
        const wrong = event.currentTarget.elements.namedItem(fromError === null ? 'to' : 'from')
        if (wrong instanceof HTMLElement) wrong.focus()
      }}
    >
      <DateField
        label={t`Від дати`}
        name="from"
        value={typedFrom}
        error={(checked ? fromError : null) ?? (isRefused ? refused.from : null)}
        onValueChange={setFrom}
      />
      <DateField
        label={t`До дати`}
        name="to"
        value={typedTo}
        error={(checked ? toError : null) ?? (isRefused ? refused.to : null)}
        onValueChange={setTo}
      />
      <Button type="submit" className="min-[360px]:max-lg:col-span-2 lg:beside-field">
        <Trans>Показати</Trans>
      </Button>
    </form>
  )
}
