import { Trans, useLingui } from '@lingui/react/macro'
import { useRef, useState } from 'react'

import { formatHryvnias, fromHryvnias } from '@/lib/money'
import { paymentKindText } from '@/lib/payment-kind'
import { useLocale } from '@/lib/use-locale'
import { Button } from '@/ui/button'
import { Checkbox } from '@/ui/checkbox'
import { focusHeading } from '@/ui/focus-heading'
import { RecordCell, RecordNote, RecordRow } from '@/ui/record-table'
import { StatusMark } from '@/ui/status-mark'
import { Sum } from '@/ui/sum'
import { useFocusAfter } from '@/ui/use-focus-after'

import { columnTexts } from './column-texts'
import { findingText } from './finding-text'
import { RowEditor } from './row-editor'
import { hasDoubtfulCode, stateOf, type SheetRow } from './rows'
import type { SheetOfPayments } from './use-sheet'

interface SheetRowViewProps {
  readonly row: SheetRow
  readonly sheet: SheetOfPayments
}

/** A row of the sheet in two lines, and below it what is to be mended or the fields to mend it in. */
export function SheetRowView({ row, sheet }: SheetRowViewProps) {
  const { t } = useLingui()
  const { number, cells, payment } = row
  // After a reload the fields don't take the focus.
  const [opened, setOpened] = useState<'by-reload' | 'by-press' | null>(row.typed ? 'by-reload' : null)
  const opening = useRef<HTMLButtonElement>(null)
  const hasMore =
    row.findings.length > 0 ||
    row.added_before ||
    row.repeats !== null ||
    row.typed !== undefined ||
    hasDoubtfulCode(row)
  useFocusAfter(opened !== null && !row.typed, opening)
  return (
    <>
      <RecordRow>
        <RecordCell label={t`Рядок`}>
          <span className="tabular-nums">{number}</span>
        </RecordCell>
        <RecordCell label={t`Платіж`}>
          <PaymentWords row={row} />
        </RecordCell>
        <RecordCell label={t`Клієнт`} className="min-w-40 @max-5xl:min-w-28 @max-2xl:min-w-0">
          <span className="block break-words @2xl:@max-5xl:line-clamp-2 @5xl:line-clamp-1">
            {payment?.full_name ?? cells['full_name'] ?? '–'}
          </span>
          <span className="block text-xs text-ink-soft tabular-nums">
            {payment?.inn ?? cells['inn'] ?? ''}
          </span>
        </RecordCell>
        <RecordCell label={t`Сума`} align="end">
          {payment === null ? '–' : <Sum value={fromHryvnias(payment.sum_total)} className="font-medium" />}
          {payment !== null && payment.count > 1 && (
            <span className="block text-ink-soft tabular-nums">× {payment.count}</span>
          )}
        </RecordCell>
        <RecordCell
          label={t`Статус`}
          className="whitespace-nowrap @2xl:@max-5xl:min-w-34 @2xl:@max-5xl:whitespace-normal"
        >
          <StateMark row={row} />
        </RecordCell>
        <RecordCell align="end">
          {!row.typed && (
            <div className="flex gap-2 @2xl:@max-5xl:flex-col @2xl:@max-5xl:gap-1 [&_span]:text-nowrap">
              <Button
                ref={opening}
                size="small"
                onClick={() => {
                  setOpened('by-press')
                  sheet.open(row)
                }}
                aria-label={payment === null ? t`Виправити рядок ${number}` : t`Змінити рядок ${number}`}
              >
                {payment === null ? <Trans>Виправити</Trans> : <Trans>Змінити</Trans>}
              </Button>
              <Button
                size="small"
                data-leave-out=""
                onClick={({ currentTarget }) => {
                  focusNearRow(currentTarget)
                  sheet.leaveOut(row)
                }}
                aria-label={t`Не додавати рядок ${number}`}
              >
                <Trans>Не додавати</Trans>
              </Button>
            </div>
          )}
        </RecordCell>
      </RecordRow>
      {hasMore && (
        <RecordRow continued>
          <RecordNote columns={6}>
            <div className="flex flex-col gap-3">
              <Findings row={row} sheet={sheet} />
              {row.typed && (
                <RowEditor row={row} cells={row.typed} sheet={sheet} isFocused={opened === 'by-press'} />
              )}
            </div>
          </RecordNote>
        </RecordRow>
      )}
    </>
  )
}

/** Moves the focus from a row that is left out to the next one, or to the one before. */
function focusNearRow(button: Element) {
  const all = [...(button.closest('table')?.querySelectorAll('[data-leave-out]') ?? [])]
  const at = all.indexOf(button)
  const near = all[at + 1] ?? all[at - 1]
  if (near) near.closest('tr')?.querySelector('button')?.focus()
  else focusHeading()
}

/** What is paid and to whom, as the row was understood; otherwise as it was written. */
function PaymentWords({ row: { payment, cells } }: { readonly row: SheetRow }) {
  const { i18n } = useLingui()
  if (payment === null) {
    const written = [cells['payment_type'], cells['option'], cells['term'], cells['recipient']]
    const [first, ...rest] = written.filter((text) => text !== undefined)
    return <TwoLines first={first ?? '–'} second={rest.join(', ')} />
  }
  const service = [payment.option, payment.term].filter((text) => text !== null)
  const kind = i18n._(paymentKindText[payment.payment_type.slug])
  return service.length > 0 ? (
    <TwoLines first={[kind, ...service].join(', ')} second={payment.recipient ?? ''} />
  ) : (
    <TwoLines first={`${kind}, ${payment.recipient}`} second={payment.purpose ?? ''} />
  )
}

/** Each is cut at the end of its column; a card shows all of it. */
function TwoLines({ first, second }: { readonly first: string; readonly second: string }) {
  return (
    <div className="@2xl:w-0 @2xl:min-w-full">
      <span className="block font-medium break-words @2xl:@max-5xl:line-clamp-2 @5xl:truncate" title={first}>
        {first}
      </span>
      <span className="block text-xs break-words text-ink-soft @2xl:truncate" title={second}>
        {second}
      </span>
    </div>
  )
}

function StateMark({ row }: { readonly row: SheetRow }) {
  const state = stateOf(row)
  if (state === 'right')
    return (
      <StatusMark tone="success">
        <Trans>без помилок</Trans>
      </StatusMark>
    )
  if (state === 'changed')
    return (
      <StatusMark tone="neutral">
        <Trans>зміни не перевірено</Trans>
      </StatusMark>
    )
  if (state === 'known')
    return (
      <StatusMark tone="neutral">
        <Trans>не додається</Trans>
      </StatusMark>
    )
  return (
    <StatusMark tone="failure">
      <Trans>потребує виправлення</Trans>
    </StatusMark>
  )
}

/** What is to be mended, each with its column, and what the notary decides about a payment that was there before. */
function Findings({ row, sheet }: { readonly row: SheetRow; readonly sheet: SheetOfPayments }) {
  const { t, i18n } = useLingui()
  const locale = useLocale()
  const { number, findings, price, added_before: isAdded, repeats, again } = row
  const columnName = (column: string) => {
    const text = columnTexts[column]
    return text === undefined ? column : i18n._(text)
  }
  return (
    <>
      {findings.length > 0 && (
        <ul className="flex flex-col gap-1 text-danger">
          {findings.map((finding) => (
            <li key={`${finding.column} ${finding.message}`}>
              <span className="font-medium">{columnName(finding.column)}:</span>{' '}
              {findingText(finding, row.cells, i18n)}
              {finding.message === 'price_changed' && price !== null && (
                <>
                  {' '}
                  <Trans>(сьогодні {formatHryvnias(fromHryvnias(price.amount), locale)})</Trans>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      {hasDoubtfulCode(row) && <DoubtfulCode column={columnName('inn')} />}
      {(isAdded || repeats !== null) && (
        <div className="flex flex-col">
          <p className="text-caution">
            {isAdded ? (
              <Trans>Такий платіж уже додано з таблиці за останні 30 днів.</Trans>
            ) : (
              <Trans>Такий самий платіж є в рядку {repeats}.</Trans>
            )}
          </p>
          <Checkbox
            label={t`Додати ще раз`}
            aria-label={t`Додати ще раз рядок ${number}`}
            checked={again}
            onChange={(event) => sheet.setAgain(number, event.currentTarget.checked)}
          />
        </div>
      )}
    </>
  )
}

function DoubtfulCode({ column }: { readonly column: string }) {
  return (
    <p className="text-caution">
      <span className="font-medium">{column}:</span>{' '}
      <Trans>Контрольна цифра не збігається. Перевірте код; якщо він саме такий, продовжуйте</Trans>
    </p>
  )
}
