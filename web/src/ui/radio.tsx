import { useId, type ReactNode } from 'react'
import { cx } from './cx'
import { FieldNotes } from './field'

export interface RadioOption<Value extends string> {
  readonly value: Value
  readonly label: ReactNode
  /** A second line in a quieter style. */
  readonly description?: ReactNode
  /** Content at the right end, such as a price or an icon. */
  readonly aside?: ReactNode
}

export interface RadioCardsProps<Value extends string> {
  /** The name of the group. */
  readonly legend: ReactNode
  /** Hides the legend visually, where a heading above has the same text. */
  readonly legendHidden?: boolean
  readonly options: readonly RadioOption<Value>[]
  readonly value: Value | null
  readonly onValueChange: (value: Value) => void
  readonly hint?: ReactNode
  readonly error?: ReactNode
  /** The id of the first option, for the links of an error summary. */
  readonly id?: string
  readonly className?: string
}

/** A choice of few options, shown as cards. These are native radio buttons. */
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
