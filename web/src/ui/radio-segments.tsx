import type { ReactNode } from 'react'
import { cx } from './cx'
import { FieldNotes } from './field'

interface RadioSegmentsProps<Value extends string> {
  /** The name of the group. */
  readonly legend: ReactNode
  /** `note`: what belongs to the option, in small print. It describes the option and is no part of its name. */
  readonly options: readonly {
    readonly value: Value
    readonly label: ReactNode
    readonly note: string | undefined
  }[]
  readonly value: Value | null
  readonly onValueChange: (value: Value) => void
  readonly hint?: ReactNode
  readonly error?: ReactNode
  /** The id of what Tab leads to, for the links of an error summary: the chosen option, or the first one. */
  readonly id: string
}

/** A choice of three or four options with short texts, side by side where there is room. These are native radio buttons. */
export function RadioSegments<Value extends string>({
  legend,
  options,
  value,
  onValueChange,
  hint,
  error,
  id,
}: RadioSegmentsProps<Value>) {
  const hintId = `${id}-hint`
  const errorId = `${id}-error`
  const first = options.find((option) => option.value === value) ?? options[0]
  return (
    <fieldset
      className="flex min-w-0 flex-col gap-1.5"
      aria-describedby={cx(Boolean(hint) && hintId, Boolean(error) && errorId) || undefined}
    >
      <legend className="mb-1.5 text-sm font-medium">{legend}</legend>
      <div
        className={cx(
          'grid gap-2 @md:grid-cols-2',
          options.length > 3 ? '@2xl:grid-cols-4' : '@xl:grid-cols-3',
        )}
      >
        {options.map((option) => (
          <label
            key={option.value}
            className="flex min-h-12 cursor-pointer items-center gap-2.5 rounded-md border border-edge bg-sheet px-3 py-1.5 text-sm leading-tight transition-colors hover:border-ink has-checked:border-seal has-checked:bg-seal-wash @2xl:gap-1.5 @2xl:px-2"
          >
            <input
              type="radio"
              {...(option === first && { id })}
              name={id}
              value={option.value}
              checked={option.value === value}
              aria-describedby={option.note && `${id}-${option.value}`}
              onChange={() => onValueChange(option.value)}
              className="size-5 shrink-0 cursor-pointer"
            />
            <span>
              {option.label}
              {option.note && (
                <span id={`${id}-${option.value}`} aria-hidden="true" className="block text-xs text-ink-soft">
                  {option.note}
                </span>
              )}
            </span>
          </label>
        ))}
      </div>
      <FieldNotes {...{ hint, hintId, error, errorId }} />
    </fieldset>
  )
}
