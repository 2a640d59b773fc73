import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'

import { sheetChoicesQuery, type SheetCells } from '@/api/sheet'
import { Button } from '@/ui/button'
import { Select } from '@/ui/select'
import { TextField } from '@/ui/text-field'

import { columns, columnTexts, deciding, notOfFees, onlyOfFees } from './column-texts'
import { findingText } from './finding-text'
import { withCell, type SheetRow } from './rows'
import type { SheetOfPayments } from './use-sheet'

interface RowEditorProps {
  readonly row: SheetRow
  /** As typed. */
  readonly cells: SheetCells
  readonly sheet: SheetOfPayments
  readonly isFocused: boolean
}

/** The fields of a row. What has a list of names is chosen from it. */
export function RowEditor({ row, cells, sheet, isFocused }: RowEditorProps) {
  const { t, i18n } = useLingui()
  const { number } = row
  const decided = Object.fromEntries(
    deciding.flatMap((column) => (cells[column] === undefined ? [] : [[column, cells[column]]])),
  )
  const {
    data,
    isFetching,
    isPending: isWaiting,
  } = useQuery({
    ...sheetChoicesQuery(decided),
    placeholderData: (earlier) => earlier,
  })
  const choices = data ?? {}
  // Only a fee has regions.
  const isFee = choices['region'] !== undefined
  const isFreeForm = !isFee && choices['option'] !== undefined
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    // A field whose values are not known yet is drawn anew as a list, and would lose the focus.
    if (!isFocused || isWaiting) return
    // The first field that is to be mended, otherwise the first one.
    const fields = form.current
    const wrong = fields?.querySelector<HTMLElement>('[aria-invalid="true"]')
    const first = fields?.querySelector<HTMLElement>('input, select')
    ;(wrong ?? first)?.focus()
  }, [isFocused, isWaiting])

  /** What is wrong with a cell, until its text is another one. */
  function errorOf(column: string): string | null {
    if (cells[column] !== row.cells[column]) return null
    const found = row.findings.find((finding) => finding.column === column)
    return found === undefined ? null : findingText(found, row.cells, i18n)
  }

  const isShown = (column: string) => {
    if (errorOf(column) !== null || cells[column] !== undefined) return true
    if (column === 'term') return isFee && choices['term'] !== undefined
    return isFee ? !notOfFees.has(column) : !isFreeForm || !onlyOfFees.has(column)
  }

  return (
    <form
      ref={form}
      noValidate
      aria-label={t`Рядок ${number}`}
      className="flex flex-col gap-4 rounded-md border border-rule p-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (!sheet.reading.isPending) sheet.mend(number, cells)
      }}
    >
      <div className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
        {columns.filter(isShown).map((column) => (
          <Cell
            key={column}
            column={column}
            value={cells[column] ?? ''}
            names={choices[column]}
            loading={isFetching && data === undefined}
            error={errorOf(column)}
            onValue={(text) => sheet.type(number, withCell(cells, column, text))}
          />
        ))}
      </div>
      <div className="actions">
        <Button type="submit" size="small" loading={sheet.reading.isPending}>
          <Trans>Перевірити рядок</Trans>
        </Button>
        <Button size="small" onClick={() => sheet.close(cells)}>
          <Trans>Не змінювати</Trans>
        </Button>
      </div>
    </form>
  )
}

interface CellProps {
  readonly column: string
  readonly value: string
  /** The names that may stand in the cell; undefined where any text may. */
  readonly names: readonly string[] | undefined
  readonly loading: boolean
  readonly error: string | null
  readonly onValue: (text: string) => void
}

const lower = (text: string) => text.toLocaleLowerCase('uk')

function Cell({ column, value, names, loading, error, onValue }: CellProps) {
  const { t, i18n } = useLingui()
  const text = columnTexts[column]
  const label = text === undefined ? column : i18n._(text)
  if (names === undefined)
    return (
      <TextField
        label={label}
        value={value}
        error={error}
        autoComplete="off"
        maxLength={500}
        onValueChange={onValue}
      />
    )
  const chosen = names.find((name) => lower(name) === lower(value))
  const options = names.map((name) => ({ value: name, label: name }))
  // What was written stays in sight until a name is chosen.
  const written = value === '' || chosen !== undefined ? [] : [{ value, label: value }]
  return (
    <Select
      label={label}
      value={chosen ?? value}
      error={error}
      loading={loading}
      placeholder={t`Виберіть…`}
      options={[...written, ...options]}
      onValueChange={onValue}
    />
  )
}
