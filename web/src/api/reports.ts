import { queryOptions } from '@tanstack/react-query'
import { documents, api } from './client'
import { fileNameOf } from './export-orders'
import type { LoadedFile } from './receipts'
import type { components } from './schema'

export type Report = components['schemas']['Report']
export type Figures = components['schemas']['Figures']
export type DayBasis = components['schemas']['DayBasis']

/** Whole days in Kyiv, `YYYY-MM-DD`, both included. */
export interface Days {
  readonly from: string
  readonly to: string
}

/** The report of a period. Every sum in it was computed by the server. */
export const reportQuery = (days: Days, by: DayBasis) =>
  queryOptions({
    queryKey: ['reports', days, by],
    queryFn: ({ signal }) => api.GET('/reports', { params: { query: { ...days, by } }, signal }),
    // A transfer may have been credited since.
    staleTime: 30_000,
  })

/** The income book of a period as a spreadsheet. */
export async function loadIncomeBook(days: Days): Promise<LoadedFile> {
  const answer = await documents.GET('/reports/income-book', { params: { query: { ...days } } })
  return { bytes: await answer.blob(), fileName: fileNameOf(answer, 'Income.xlsx') }
}

/** The taxes of a month, `2026-03`, or of a quarter, `2026-Q1`, as a spreadsheet. */
export async function loadTaxes(
  query: { readonly month: string } | { readonly quarter: string },
): Promise<LoadedFile> {
  const answer = await documents.GET('/reports/tax-quarter', { params: { query: { ...query } } })
  return { bytes: await answer.blob(), fileName: fileNameOf(answer, 'Taxes.xlsx') }
}
