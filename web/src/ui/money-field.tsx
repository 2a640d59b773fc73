import { useLingui } from '@lingui/react/macro'
import { useState, type ChangeEvent, type ComponentProps } from 'react'
import type { Locale } from '@/lib/locale'
import { formatMoney, NO_BREAK_SPACE, parseMoney, type Kopiykas } from '@/lib/money'
import { useLocale } from '@/lib/use-locale'
import { applyMask } from './apply-mask'
import { cx } from './cx'
import { controlClass, FieldFrame, type FieldProps } from './field'
import type { Mask } from './masks'

export interface MoneyFieldProps
  extends FieldProps, Omit<ComponentProps<'input'>, 'id' | 'value' | 'onChange' | 'children'> {
  /** The text as typed; `parseMoney` parses it. */
  readonly value: string
  readonly onValueChange: (text: string) => void
}

/** Characters that cannot be part of a sum; a minus is one of them. */
const foreign = /[^\d\s.,'’]/gu

/** Removes other characters, and the group separators that the field has added. */
function plainSum(text: string, locale: Locale): string {
  const known = text.replace(foreign, '').replaceAll(NO_BREAK_SPACE, '')
  const point = known.lastIndexOf('.')
  return locale === 'en' && point >= 0
    ? known.slice(0, point).replaceAll(',', '') + known.slice(point)
    : known
}

function sumMaskOf(locale: Locale): Mask {
  return {
    format: (text) => plainSum(text, locale),
    // Whether a comma in the head is removed depends on a point in the tail.
    caretIn: (formatted, _head, tail) => formatted.length - plainSum(tail, locale).length,
  }
}

const sumMask = { uk: sumMaskOf('uk'), en: sumMaskOf('en') }

/**
 * The sum as the field shows it. Groups are separated by a space in English, too: a comma left by a deletion would be read as the
 * decimal point.
 */
function groupedSum(sum: Kopiykas, locale: Locale): string {
  const written = formatMoney(sum, locale)
  return locale === 'en' ? written.replaceAll(',', NO_BREAK_SPACE) : written
}

/**
 * A sum in hryvnias. It takes `1 234,56` and `1234.56`. When the field is left it shows the formatted sum, until something is typed:
 * entering the field must not change the text, or the browser's selection would be lost.
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
  className,
  ...input
}: MoneyFieldProps) {
  const { t } = useLingui()
  const [edited, setEdited] = useState(false)
  const locale = useLocale()
  const read = parseMoney(value)
  const shown = !edited && read.ok ? groupedSum(read.value, locale) : value

  function change(event: ChangeEvent<HTMLInputElement>) {
    const plain = applyMask(event, sumMask[locale], shown)
    setEdited(true)
    onValueChange(plain)
  }

  return (
    <FieldFrame
      {...{ label, hint, caution, error, className }}
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
            onChange={change}
            onBlur={(event) => {
              setEdited(false)
              onBlur?.(event)
            }}
            className={cx(controlClass, 'pr-16 text-right text-lg font-medium tabular-nums')}
          />
          <span
            aria-hidden="true"
            className="pointer-events-none absolute inset-y-0 right-3.5 flex items-center text-ink-soft"
          >
            {t`грн`}
          </span>
        </span>
      )}
    </FieldFrame>
  )
}
