import type { AddSheetRequest, SheetCells, SheetPayment, SheetRowReport } from '@/api/sheet'
import { addIntentOf, type AddIntent } from '@/forms/add-intent'
import { hasWrongCheckDigit, parseClientCode } from '@/lib/client-code'
import { fromHryvnias, total, type Kopiykas } from '@/lib/money'

/** A row of the sheet on the page. */
export interface SheetRow extends SheetRowReport {
  /** It is wanted although the same payment was added before, or stands twice in the sheet. */
  readonly again: boolean
  /** The cells as they were typed, while the row is being mended. */
  readonly typed?: SheetCells | undefined
}

/** `right`: can be added. `wrong`: is to be mended. `changed`: is to be read again. `known`: is added only if the notary says so. */
export type RowState = 'right' | 'wrong' | 'changed' | 'known'

export function stateOf(row: SheetRow): RowState {
  if (row.payment === null) return 'wrong'
  if (isChanged(row)) return 'changed'
  return (row.added_before || row.repeats !== null) && !row.again ? 'known' : 'right'
}

/** Whether something was typed that is not read yet. */
export const isChanged = ({ cells, typed = cells }: SheetRow): boolean =>
  [...Object.keys(cells), ...Object.keys(typed)].some((column) => cells[column] !== typed[column])

/** Whether the check digit of the client's code is wrong. Such codes are in use, so the row is added all the same, as by the form. */
export function hasDoubtfulCode({ payment, cells }: SheetRow): boolean {
  const code = parseClientCode(payment?.inn ?? cells['inn'] ?? '')
  return code.ok && hasWrongCheckDigit(code.value)
}

export const isRight = (row: SheetRow): row is SheetRow & { readonly payment: SheetPayment } =>
  stateOf(row) === 'right'

/** Whether the notary still has to do something before the row can be added. */
export const isToBeMended = (row: SheetRow): boolean => ['wrong', 'changed'].includes(stateOf(row))

/**
 * The rows as they were read again. What was left out or brought back meanwhile stays so, and what the notary did to a row too. The report
 * names what was `sent` in the language of the page, also in the fields of a row, except what was typed meanwhile.
 */
export function readAgain(
  rows: readonly SheetRow[],
  sent: readonly Pick<SheetRow, 'number' | 'cells'>[],
  reports: readonly SheetRowReport[],
): readonly SheetRow[] {
  return rows.map((row) => {
    const ofRow = ({ number }: { readonly number: number }) => number === row.number
    const report = reports.find(ofRow)
    if (report === undefined) return row
    const { typed } = row
    const asked = sent.find(ofRow)?.cells ?? {}
    return { ...row, ...report, typed: typed && typedMeanwhile(typed, asked, report.cells) }
  })
}

/** The fields with what was read, except where they have another text than the one that was `sent`. */
function typedMeanwhile(typed: SheetCells, sent: SheetCells, read: SheetCells): SheetCells {
  const texts = Object.keys({ ...typed, ...sent, ...read }).flatMap((column) => {
    const text = typed[column] === sent[column] ? read[column] : typed[column]
    return text === undefined ? [] : [[column, text] as const]
  })
  return Object.fromEntries(texts)
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

/** The request that adds the right rows, or null where there are none. `waiting`: the intent of an earlier press, without an answer. */
export function additionOf(rows: readonly SheetRow[], waiting: AddIntent | null): AddSheetRequest | null {
  const right = rows.filter(isRight)
  if (right.length === 0) return null
  const requestOf = (isAgain: boolean): AddSheetRequest => ({
    rows: right.map(({ number, cells, again, payment }) => ({
      number,
      cells,
      sum: payment.sum_full,
      again: isAgain && again,
    })),
  })
  const all = requestOf(true)
  // Another press without an answer may have added what is wanted again: the server looks first, and refuses what is in the cart.
  return waiting === null || addIntentOf(all, waiting) === waiting ? all : requestOf(false)
}

/** What the right rows charge. */
export const totalOf = (rows: readonly SheetRow[]): Kopiykas =>
  total(rows.filter(isRight).map(({ payment }) => fromHryvnias(payment.sum_total)))

/** The same cells with another text. */
export function withCell(cells: SheetCells, column: string, text: string): SheetCells {
  const { [column]: _, ...others } = cells
  return text.trim() === '' ? others : { ...others, [column]: text }
}
