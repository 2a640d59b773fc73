import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState, type Dispatch, type SetStateAction } from 'react'

import { isDefinite } from '@/api/definite'
import { addSheetToCart, readSheet, type SheetCells, type SheetSource } from '@/api/sheet'
import { draftOf, forgetDraft, keepDraft, useDraft } from '@/forms/draft'
import { useGivenBack } from '@/forms/given-back'
import { sendIntent } from '@/forms/send-intent'
import { showAdded } from '@/forms/show-added'
import { isStillSignedIn } from '@/forms/still-signed-in'
import { payNext } from '@/lib/pay-next'
import { useIsShown } from '@/lib/use-is-shown'

import { sheetDraft, type SheetDraft } from './draft'
import { additionOf, isChanged, isToBeMended, readAgain, sourceOf, withRow, type SheetRow } from './rows'

/** Makes the sheet that is wanted of the present one; null where there is none. */
type DraftChange = (now: SheetDraft | null) => SheetDraft

/** The fields of rows that are being mended. */
function rowFields(setRows: Dispatch<SetStateAction<readonly SheetRow[]>>) {
  const setTyped = (typed: SheetCells | undefined, isMeant: (row: SheetRow) => boolean) =>
    setRows((now) => now.map((row) => (isMeant(row) ? { ...row, typed } : row)))
  return {
    /** Opens the fields of a row, and closes those in which nothing was typed. */
    open: (row: SheetRow) => {
      setTyped(undefined, (other) => !isChanged(other))
      setTyped(row.cells, ({ number }) => number === row.number)
    },
    type: (number: number, cells: SheetCells) => setTyped(cells, (row) => row.number === number),
    /** Closes the fields with these cells. Where something else was typed meanwhile, they stay. */
    close: (cells: SheetCells) => setTyped(undefined, ({ typed }) => typed === cells),
  }
}

/** What stands on the page, which outlasts a reload. */
function useKeptSheet(notaryId: string) {
  const [draft] = useState(() => draftOf(sheetDraft, notaryId))
  const [rows, setRows] = useState<readonly SheetRow[]>(draft?.rows ?? [])
  const [unknownHeadings, setUnknownHeadings] = useState<readonly string[]>(draft?.unknownHeadings ?? [])
  const [intent, setIntent] = useState(draft?.intent ?? null)
  const [text, setText] = useState(draft?.text ?? '')
  const kept = useMemo(
    () => (rows.length === 0 && text === '' ? null : { rows, unknownHeadings, intent, text }),
    [rows, unknownHeadings, intent, text],
  )
  useDraft(sheetDraft, notaryId, kept)
  return { rows, setRows, unknownHeadings, setUnknownHeadings, intent, setIntent, text, setText, kept }
}

/** Adds the payments of rows to the cart. */
function useAddingSheet(notaryId: string, sheet: ReturnType<typeof useKeptSheet>) {
  const { rows, setRows, unknownHeadings, intent, setIntent, text } = sheet
  const { t } = useLingui()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const isShown = useIsShown()
  return useMutation({
    mutationFn: async (wanted: readonly SheetRow[]) => {
      const request = additionOf(wanted, intent)
      if (request === null) throw new Error('nothing to add')
      return sendIntent(request, intent, setIntent, addSheetToCart)
    },
    onSuccess: ({ items_count: count, added }, wanted) => {
      if (!isStillSignedIn(queryClient, notaryId)) return
      setIntent(null)
      const payments = plural(added, {
        one: '# платіж',
        few: '# платежі',
        many: '# платежів',
        other: '# платежу',
      })
      showAdded(queryClient, count, t`До кошика додано ${payments}`)
      // What was brought back meanwhile stays, too.
      const rest = rows.filter((row) => isToBeMended(row) || !wanted.includes(row))
      setRows(rest)
      if (!isShown()) {
        if (rest.length > 0)
          keepDraft(sheetDraft, notaryId, { rows: rest, unknownHeadings, intent: null, text })
        else forgetDraft(sheetDraft)
        return
      }
      if (rest.length > 0) return
      payNext()
      void navigate({ to: '/cart' })
    },
    onError: async (failure, wanted) => {
      if (!isDefinite(failure)) return
      // The server has looked for what an earlier press may have added.
      setIntent(null)
      // The screen shows something that the server doesn't: it is read again, and held until then. The failure stays in sight.
      await readSheet(sourceOf(wanted)).then(
        (report) => setRows((now) => readAgain(now, wanted, report.rows)),
        () => undefined,
      )
    },
  })
}

/** The rows of the sheet on the page, reading them and adding them. */
export function useSheet(notaryId: string) {
  const { t } = useLingui()
  const sheet = useKeptSheet(notaryId)
  const { rows, setRows, unknownHeadings, setUnknownHeadings, intent, setIntent, text, setText, kept } = sheet
  const reading = useMutation({ mutationFn: readSheet })

  const adding = useAddingSheet(notaryId, sheet)
  const { offerBack } = useGivenBack<DraftChange>(
    `sheet ${notaryId}`,
    '/sheet',
    t`Повернути`,
    (change) => {
      const next = change(kept)
      setRows(next.rows)
      setUnknownHeadings(next.unknownHeadings)
      setIntent(next.intent)
    },
    (change) => keepDraft(sheetDraft, notaryId, change(draftOf(sheetDraft, notaryId))),
  )

  const fields = rowFields(setRows)

  return {
    ...fields,
    rows,
    unknownHeadings,
    reading,
    adding,
    /** Whether the payments may be in the cart although a press got no answer, on this page or before a reload. */
    isUnknown: intent !== null && !adding.isPending,
    text,
    setText,
    read: (source: SheetSource) =>
      reading.mutate(source, {
        onSuccess: (report) => {
          setRows(report.rows.map((row) => ({ ...row, again: false })))
          setUnknownHeadings(report.unknown_headings)
          setText('')
          adding.reset()
        },
      }),
    /** Reads all rows again, with what was typed into the fields of one of them, and closes these if that is right. */
    mend: (number: number, cells: SheetCells) => {
      const mended = rows.map((row) => (row.number === number ? { ...row, cells } : row))
      reading.mutate(sourceOf(mended), {
        // Not of a sheet that was put away meanwhile.
        onSuccess: (report) => {
          if (report.rows.find((row) => row.number === number)?.findings.length === 0) fields.close(cells)
          setRows((now) => readAgain(now, mended, report.rows))
          adding.reset()
        },
      })
    },
    setAgain: (number: number, again: boolean) =>
      setRows(rows.map((row) => (row.number === number ? { ...row, again } : row))),
    leaveOut: (left: SheetRow) => {
      const { number } = left
      offerBack(t`Рядок ${number} видалено`, (now) =>
        withRow(now ?? { rows: [], unknownHeadings, intent, text: '' }, left),
      )
      setRows(rows.filter((row) => row !== left))
    },
    add: () => adding.mutate(rows),
    clear: () => {
      // What is pasted meanwhile stays.
      if (kept !== null) offerBack(t`Таблицю очищено`, (now) => ({ ...kept, text: now?.text ?? '' }))
      setRows([])
      setUnknownHeadings([])
      setIntent(null)
      reading.reset()
      adding.reset()
    },
  }
}

export type SheetOfPayments = ReturnType<typeof useSheet>
