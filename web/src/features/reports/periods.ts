import type { DayBasis, Days } from '@/api/reports'

/** What the address of the page keeps. Without days it is this month. */
export interface ReportSearch {
  readonly from?: string
  readonly to?: string
  readonly by?: DayBasis
}

/** The ready-made periods, in the order in which they are offered. */
export const presets = ['this_month', 'last_month', 'this_quarter', 'last_quarter', 'this_year'] as const
export type Preset = (typeof presets)[number]

/** A day as `YYYY-MM-DD`. Months are counted from 0; 12 is January of the next year, and day 0 the last of the month before. */
const day = (year: number, month: number, date: number) =>
  new Date(Date.UTC(year, month, date)).toISOString().slice(0, 10)

const months = (year: number, first: number, count: number): Days => ({
  from: day(year, first, 1),
  to: day(year, first + count, 0),
})

/** The days of a ready-made period; `today` is the day in Kyiv. */
export function daysOf(preset: Preset, today: string): Days {
  const [year = 0, month = 1] = today.split('-').map(Number)
  switch (preset) {
    case 'this_month':
      return months(year, month - 1, 1)
    case 'last_month':
      return months(year, month - 2, 1)
    case 'this_quarter':
      return months(year, Math.floor((month - 1) / 3) * 3, 3)
    case 'last_quarter':
      return months(year, Math.floor((month - 1) / 3) * 3 - 3, 3)
    case 'this_year':
      return months(year, 0, 12)
  }
}

/** The days of an address. A day that is missing is taken from this month. */
export function daysIn({ from, to }: ReportSearch, today: string): Days {
  const thisMonth = daysOf('this_month', today)
  return { from: from ?? thisMonth.from, to: to ?? thisMonth.to }
}

/** The quarter of a day, `2026-Q1`. */
export function quarterOf(date: string): string {
  const [year = '', month = '1'] = date.split('-')
  return `${year}-Q${Math.ceil(Number(month) / 3)}`
}
