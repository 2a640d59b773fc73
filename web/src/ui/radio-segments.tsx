import { useId, type ReactNode } from 'react'
import { cx } from './cx'
import { FieldNotes } from './field'

interface RadioSegmentsProps<Value extends string> {
  /** The name of the group. */
  readonly legend: ReactNode
  readonly options: readonly { readonly value: Value; readonly label: ReactNode }[]
  readonly value: Value | null
  readonly onValueChange: (value: Value) => void
  readonly hint?: ReactNode
  readonly error?: ReactNode
  /** The id of what Tab leads to, for the links of an error summary: the chosen option, or the first one. */
  readonly id: string
}

/** A choice of few options with short texts, side by side where there is room. These are native radio buttons. */
export function RadioSegments<Value extends string>({
  legend,
  options,
  value,
  onValueChange,
  hint,
  error,
  id,
}: RadioSegmentsProps<Value>) {
  const ownId = useId()
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
          options.length === 3 && '@xl:grid-cols-3',
          options.length === 4 && '@2xl:grid-cols-4',
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
              name={ownId}
              value={option.value}
              checked={option.value === value}
              onChange={() => onValueChange(option.value)}
              className="size-5 shrink-0 cursor-pointer"
            />
            {option.label}
          </label>
        ))}
      </div>
      <FieldNotes {...{ hint, hintId, error, errorId }} />
    </fieldset>
  )
}
