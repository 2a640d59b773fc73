import type { DayBasis, Days } from '@/api/reports'
import { daysOf } from '@/lib/periods'

/** What the address of the page keeps. Without days it is this month. */
export interface ReportSearch {
  readonly from?: string
  readonly to?: string
  readonly by?: DayBasis
}

/** The ready-made periods, in the order in which they are offered. */
export const presets = ['this_month', 'last_month', 'this_quarter', 'last_quarter', 'this_year'] as const
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
