import { useLingui } from '@lingui/react/macro'
import type { ComponentProps } from 'react'
import { cx } from './cx'
import { controlClass, FieldFrame, type FieldProps } from './field'
import { Icon } from './icons'
import { Spinner } from './spinner'

export interface SelectOption {
  readonly value: string
  readonly label: string
}

export interface SelectProps
  extends FieldProps, Omit<ComponentProps<'select'>, 'id' | 'children' | 'multiple' | 'size'> {
  readonly options: readonly SelectOption[]
  readonly onValueChange?: (value: string) => void
  /** The text shown while nothing is chosen. Without it the first option is chosen. */
  readonly placeholder?: string
  /** The options are being loaded. The select shows this and cannot be opened. */
  readonly loading?: boolean
  /**
   * The reason why nothing can be chosen yet, such as "choose a region first". The select stays focusable, so that the reason is
   * read, and has no options.
   */
  readonly disabledReason?: string | null | undefined
}

/** A native select. */
export function Select({
  label,
  hint,
  caution,
  error,
  optional,
  id,
  options,
  placeholder,
  loading = false,
  disabledReason,
  onValueChange,
  onChange,
  className,
  disabled,
  ...select
}: SelectProps) {
  const { t } = useLingui()
  const shownHint = disabledReason ?? hint
  const unready = loading || Boolean(disabledReason)
  const empty = loading ? t`Завантаження…` : placeholder
  return (
    <FieldFrame
      {...{ label, caution, error, className }}
      hint={shownHint}
      {...(optional && { optional })}
      {...(id && { id })}
    >
      {(control) => (
        <>
          <span className="relative flex">
            <select
              {...select}
              {...control}
              aria-busy={loading || undefined}
              disabled={disabled}
              onChange={(event) => {
                onChange?.(event)
                onValueChange?.(event.currentTarget.value)
              }}
              aria-disabled={unready || undefined}
              className={cx(controlClass, 'appearance-none truncate pr-11')}
            >
              {empty !== undefined && <option value="">{empty}</option>}
              {(unready ? [] : options).map((option) => (
                <option key={option.value} value={option.value}>
                  {option.label}
                </option>
              ))}
            </select>
            <span className="pointer-events-none absolute inset-y-0 right-3.5 flex items-center text-ink-soft">
              {loading ? <Spinner size={18} /> : <Icon name="chevron" size={18} />}
            </span>
          </span>
          <WholeChoice name={options.find(({ value }) => value === select.value)?.label ?? ''} />
        </>
      )}
    </FieldFrame>
  )
}

/** The whole name of what is chosen, where the select may cut it. */
function WholeChoice({ name }: { readonly name: string }) {
  return name.length > 28 && <span aria-hidden data-text={name} className="whole-choice" />
}
