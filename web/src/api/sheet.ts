import { queryOptions } from '@tanstack/react-query'

import { api, documents } from './client'
import { fileNameOf } from './export-orders'
import type { LoadedFile } from './receipts'
import type { components } from './schema'

export type SheetRowReport = components['schemas']['SheetRowReport']

export type SheetPayment = components['schemas']['SheetPaymentView']
export type SheetCells = SheetRowReport['cells']
export type AddSheetRequest = components['schemas']['AddSheetRequest']

/** What is read: a file in Base64, pasted rows, or rows of an earlier report. */
export type SheetSource =
  | { readonly file: string }
  | { readonly text: string }
  | { readonly rows: { readonly number: number; readonly cells: SheetCells }[] }

/** The template to fill in. */
export async function loadSheetTemplate(): Promise<LoadedFile> {
  const answer = await documents.GET('/cart/sheet/template')
  return { bytes: await answer.blob(), fileName: fileNameOf(answer, 'Payments.xlsx') }
}

/** Says what of a sheet can be added. Stores nothing. */
export const readSheet = (source: SheetSource) => api.POST('/cart/sheet/read', { body: source })

/** The names that the cells of a row may have, by column, as far as its other cells decide about them. */
export const sheetChoicesQuery = (cells: SheetCells) =>
  queryOptions({
    queryKey: ['sheet', 'choices', cells],
    queryFn: async ({ signal }) =>
      (await api.POST('/cart/sheet/choices', { body: { cells }, signal })).choices,
    staleTime: 60_000,
  })

/** Adds rows once for each key: after a lost answer the call is repeated with the same key. */
export const addSheetToCart = (body: AddSheetRequest, key: string) =>
  api.POST('/cart/sheet/add', { body, headers: { 'Idempotency-Key': key } })
