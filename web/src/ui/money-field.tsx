import { useLingui } from '@lingui/react/macro'
import { useState, type ComponentProps } from 'react'
import { editableMoney, formatMoney, parseMoney } from '@/lib/money'
import { cx } from './cx'
import { controlClass, FieldFrame, type FieldProps } from './field'

export interface MoneyFieldProps
  extends FieldProps, Omit<ComponentProps<'input'>, 'id' | 'value' | 'onChange' | 'children'> {
  /** What is typed, as typed: read it with `parseMoney`. */
  readonly value: string
  readonly onValueChange: (text: string) => void
}

/** Signs that can be part of a sum; anything else, a minus too, is not taken. */
const foreign = /[^\d\s.,'’]/gu

/**
 * A sum in hryvnias. `1 234,56` and `1234.56` are both taken; when the field is left, the sum stands there as the
 * language writes it, and when it is entered again, as one types it.
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
  onFocus,
  onBlur,
  className,
  ...input
}: MoneyFieldProps) {
  const { i18n, t } = useLingui()
  const [focused, setFocused] = useState(false)
  const locale = i18n.locale === 'en' ? 'en' : 'uk'
  const read = parseMoney(value)
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
            value={!focused && read.ok ? formatMoney(read.value, locale) : value}
            onChange={(event) => onValueChange(event.target.value.replace(foreign, ''))}
            onFocus={(event) => {
              setFocused(true)
              if (read.ok) onValueChange(editableMoney(read.value, locale))
              onFocus?.(event)
            }}
            onBlur={(event) => {
              setFocused(false)
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
