import { useId, type ReactNode } from 'react'
import { cx } from './cx'
import { FieldNotes } from './field'

export interface RadioOption<Value extends string> {
  readonly value: Value
  readonly label: ReactNode
  /** A second, quieter line. */
  readonly description?: ReactNode
  /** What stands at the right end, as a price or a sign. */
  readonly aside?: ReactNode
}

export interface RadioCardsProps<Value extends string> {
  /** What is being chosen. */
  readonly legend: ReactNode
  /** Hide the legend where a heading right above says the same. */
  readonly legendHidden?: boolean
  readonly options: readonly RadioOption<Value>[]
  readonly value: Value | null
  readonly onValueChange: (value: Value) => void
  readonly hint?: ReactNode
  readonly error?: ReactNode
  /** Of the first option; where an error summary leads. */
  readonly id?: string
  readonly className?: string
}

/** One of a few as framed cards, all to be seen at once; arrows move the choice, as the platform has it. */
export function RadioCards<Value extends string>({
  legend,
  legendHidden = false,
  options,
  value,
  onValueChange,
  hint,
  error,
  id,
  className,
}: RadioCardsProps<Value>) {
  const ownId = useId()
  const groupId = id ?? ownId
  const hintId = `${groupId}-hint`
  const errorId = `${groupId}-error`
  return (
    <fieldset
      className={cx('flex min-w-0 flex-col gap-2', className)}
      aria-describedby={cx(Boolean(hint) && hintId, Boolean(error) && errorId) || undefined}
    >
      <legend className={legendHidden ? 'sr-only' : 'mb-1.5 text-sm font-medium'}>{legend}</legend>
      <div className="flex flex-col gap-2">
        {options.map((option, index) => (
          <label
            key={option.value}
            className="flex min-h-12 cursor-pointer items-center gap-3 rounded-md border border-edge bg-sheet px-4 py-3 transition-colors hover:border-ink has-checked:border-seal has-checked:bg-seal-wash"
          >
            <input
              type="radio"
              id={index === 0 ? groupId : `${groupId}-${index}`}
              name={ownId}
              value={option.value}
              checked={option.value === value}
              onChange={() => onValueChange(option.value)}
              className="size-6 shrink-0 cursor-pointer"
            />
            <span className="flex min-w-0 grow flex-col">
              <span>{option.label}</span>
              {option.description && <span className="text-sm text-ink-soft">{option.description}</span>}
            </span>
            {option.aside && <span className="shrink-0 text-ink-soft">{option.aside}</span>}
          </label>
        ))}
      </div>
      <FieldNotes {...{ hint, hintId, error, errorId }} />
    </fieldset>
  )
}
