/** Ready-made periods. Days are those of Kyiv, `YYYY-MM-DD`. */

export interface Days {
  readonly from: string
  readonly to: string
}

export type Preset =
  | 'today'
  | 'yesterday'
  | 'this_week'
  | 'this_month'
  | 'last_month'
  | 'this_quarter'
  | 'last_quarter'
  | 'this_year'

/** A day as `YYYY-MM-DD`. Months are counted from 0; 12 is January of the next year, and day 0 the last of the month before. */
const day = (year: number, month: number, date: number) =>
  new Date(Date.UTC(year, month, date)).toISOString().slice(0, 10)

const months = (year: number, first: number, count: number): Days => ({
  from: day(year, first, 1),
  to: day(year, first + count, 0),
})

/** The days of a ready-made period; `today` is the day in Kyiv. A week begins on Monday. */
export function daysOf(preset: Preset, today: string): Days {
  const [year = 0, month = 1, date = 1] = today.split('-').map(Number)
  const quarter = Math.floor((month - 1) / 3) * 3
  switch (preset) {
    case 'today':
      return { from: today, to: today }
    case 'yesterday': {
      const before = day(year, month - 1, date - 1)
      return { from: before, to: before }
    }
    case 'this_week': {
      const sinceMonday = (new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7
      const monday = date - sinceMonday
      return { from: day(year, month - 1, monday), to: day(year, month - 1, monday + 6) }
    }
    case 'this_month':
      return months(year, month - 1, 1)
    case 'last_month':
      return months(year, month - 2, 1)
    case 'this_quarter':
      return months(year, quarter, 3)
    case 'last_quarter':
      return months(year, quarter - 3, 3)
    case 'this_year':
      return months(year, 0, 12)
  }
}
