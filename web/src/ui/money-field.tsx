import { useLingui } from '@lingui/react/macro'
import { useState, type ChangeEvent, type ClipboardEvent, type ComponentProps } from 'react'
import type { Locale } from '@/lib/locale'
import { formatHryvnias, formatMoney, NO_BREAK_SPACE, type Kopiykas } from '@/lib/money'
import { parseMoney, readTypedSum } from '@/lib/money-typed'
import { useLocale } from '@/lib/use-locale'
import { cx } from './cx'
import { controlClass, FieldFrame, type FieldProps } from './field'

export interface MoneyFieldProps
  extends FieldProps, Omit<ComponentProps<'input'>, 'id' | 'value' | 'onChange' | 'children'> {
  /** The text as typed; `parseMoney` parses it. */
  readonly value: string
  readonly onValueChange: (text: string) => void
}

/**
 * Takes a change of a shown sum: its group separators go from what stood there before, and from nothing that was typed or pasted. The
 * caret stays where it was.
 */
function takeChange({ currentTarget: input }: ChangeEvent<HTMLInputElement>, shown: string): string {
  const text = input.value
  const tail = text.slice(input.selectionEnd ?? text.length)
  // What stands before the caret is the old beginning and, behind it, what was put in.
  const before = shown.slice(0, shown.length - tail.length)
  const head = text.slice(0, text.length - tail.length)
  let kept = 0
  while (kept < head.length && head[kept] === before[kept]) kept += 1
  const start = ungrouped(head.slice(0, kept)) + head.slice(kept)
  input.value = start + ungrouped(tail)
  input.setSelectionRange(start.length, start.length)
  return input.value
}

const ungrouped = (text: string) => text.replaceAll(NO_BREAK_SPACE, '')

/** Puts pasted lines in one, with a sign where an input would join them: two cells of a table are no sum. */
function pasteInOneLine(event: ClipboardEvent<HTMLInputElement>, take: (text: string) => void) {
  const pasted = event.clipboardData.getData('text').trim()
  if (!/[\r\n]/u.test(pasted)) return
  event.preventDefault()
  const input = event.currentTarget
  input.setRangeText(
    pasted.replace(/\s*[\r\n]\s*/gu, '↵'),
    input.selectionStart ?? 0,
    input.selectionEnd ?? 0,
    'end',
  )
  take(input.value)
}

/**
 * The sum as the field shows it. Groups are separated by a space in English, too: a comma left by a deletion would be read as the
 * decimal point.
 */
function groupedSum(sum: Kopiykas, locale: Locale): string {
  const written = formatMoney(sum, locale)
  return locale === 'en' ? written.replaceAll(',', NO_BREAK_SPACE) : written
}

/** Says how a sum was read that may be a slip of the hand; false of any other text. */
function useSlip(value: string): string | false {
  const { t } = useLingui()
  const locale = useLocale()
  const read = parseMoney(value)
  return (
    read.ok &&
    readTypedSum(value)?.slip === true &&
    t`«${value}» прочитано як ${formatHryvnias(read.value, locale)}. Перевірте суму`
  )
}

function Unit() {
  const { t } = useLingui()
  return (
    <span
      aria-hidden="true"
      className="pointer-events-none absolute inset-y-0 right-3.5 flex items-center text-ink-soft"
    >
      {t`грн`}
    </span>
  )
}

/**
 * A sum in hryvnias. It takes `1 234,56` and `1234.56`, and never leaves out a character: what is no sum stays as it was typed. When the
 * field is left it shows the formatted sum, until something is typed: entering the field must not change the text, or the browser's
 * selection would be lost.
 */
export function MoneyField({
  label,
  hint,
  caution,
  error,
  optional,
  id,
  value,
  onValueChange,
  onBlur,
  onPaste,
  className,
  ...input
}: MoneyFieldProps) {
  const [edited, setEdited] = useState(false)
  const locale = useLocale()
  const slip = useSlip(value)
  const read = parseMoney(value)
  const isFormatted = !edited && read.ok
  const shown = isFormatted ? groupedSum(read.value, locale) : value

  function take(text: string) {
    setEdited(true)
    onValueChange(text)
  }

  return (
    <FieldFrame
      {...{ label, hint, error, className }}
      caution={caution ?? slip}
      {...(optional && { optional })}
      {...(id && { id })}
    >
      {(control) => (
        <span className="relative flex">
          <input
            type="text"
            inputMode="decimal"
            autoComplete="off"
            {...input}
            {...control}
            value={shown}
            onChange={(event) => take(isFormatted ? takeChange(event, shown) : event.currentTarget.value)}
            onPaste={(event) => {
              onPaste?.(event)
              pasteInOneLine(event, take)
            }}
            onBlur={(event) => {
              setEdited(false)
              onBlur?.(event)
            }}
            className={cx(controlClass, 'pr-16 text-right text-lg font-medium tabular-nums')}
          />
          <Unit />
        </span>
      )}
    </FieldFrame>
  )
}
