import type { AddSheetRequest, SheetCells, SheetPayment, SheetRowReport } from '@/api/sheet'
import { fromHryvnias, total, type Kopiykas } from '@/lib/money'

/** A row of the sheet on the page. */
export interface SheetRow extends SheetRowReport {
  /** It is wanted although the same payment was added before, or stands twice in the sheet. */
  readonly again: boolean
  /** The cells as they were typed, while the row is being mended. */
  readonly typed?: SheetCells | undefined
}

/** `right`: can be added. `wrong`: is to be mended. `known`: is added only if the notary says so. */
export type RowState = 'right' | 'wrong' | 'known'

export function stateOf(row: SheetRow): RowState {
  if (row.payment === null) return 'wrong'
  return (row.added_before || row.repeats !== null) && !row.again ? 'known' : 'right'
}

export const isRight = (row: SheetRow): row is SheetRow & { readonly payment: SheetPayment } =>
  stateOf(row) === 'right'

/** The rows of a report. A row that was wanted again still is, and what was typed stays. */
export function rowsOf(reports: readonly SheetRowReport[], before: readonly SheetRow[]): readonly SheetRow[] {
  const earlier = new Map(before.map((row) => [row.number, row]))
  return reports.map((report) => {
    const { again = false, typed } = earlier.get(report.number) ?? {}
    return { ...report, again, typed }
  })
}

/** The sheet with a row in its place again. Another sheet may have a row of the same number, which stays. */
export function withRow<Sheet extends { readonly rows: readonly SheetRow[] }>(
  sheet: Sheet,
  row: SheetRow,
): Sheet {
  const { rows } = sheet
  if (rows.some(({ number }) => number === row.number)) return sheet
  return { ...sheet, rows: [...rows, row].toSorted((one, other) => one.number - other.number) }
}

/** What is sent to be read again. */
export const sourceOf = (rows: readonly SheetRow[]) => ({
  rows: rows.map(({ number, cells }) => ({ number, cells })),
})

/** The request that adds the right rows, or null where there are none. `isAgain`: also those that were added before. */
export function additionOf(rows: readonly SheetRow[], isAgain = true): AddSheetRequest | null {
  const right = rows.filter(isRight)
  if (right.length === 0) return null
  return {
    rows: right.map(({ number, cells, again, payment }) => ({
      number,
      cells,
      sum: payment.sum_full,
      again: isAgain && again,
    })),
  }
}

/** What the right rows charge. */
export const totalOf = (rows: readonly SheetRow[]): Kopiykas =>
  total(rows.filter(isRight).map(({ payment }) => fromHryvnias(payment.sum_total)))

/** The same cells with another text. */
export function withCell(cells: SheetCells, column: string, text: string): SheetCells {
  const { [column]: _, ...others } = cells
  return text.trim() === '' ? others : { ...others, [column]: text }
}
