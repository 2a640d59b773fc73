import { useId, type ComponentProps, type ReactNode } from 'react'
import { cx } from './cx'
import { FieldNotes } from './field'

export interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type' | 'id' | 'children'> {
  /** The label; may contain a link. */
  readonly label: ReactNode
  readonly hint?: ReactNode
  readonly error?: ReactNode
  readonly id?: string
}

/** The native checkbox with its label. The whole line is clickable. */
export function Checkbox({ label, hint, error, id, className, ...input }: CheckboxProps) {
  const ownId = useId()
  const controlId = id ?? ownId
  const hintId = `${controlId}-hint`
  const errorId = `${controlId}-error`
  return (
    <div className={cx('flex flex-col gap-1', className)}>
      <label
        htmlFor={controlId}
        className="flex min-h-11 cursor-pointer items-start gap-3 py-2 text-base leading-snug"
      >
        <input
          {...input}
          type="checkbox"
          id={controlId}
          aria-invalid={error ? true : undefined}
          aria-describedby={cx(Boolean(hint) && hintId, Boolean(error) && errorId) || undefined}
          className="mt-px size-6 shrink-0 cursor-pointer rounded-sm aria-invalid:outline-2 aria-invalid:outline-danger"
        />
        <span className="pt-0.5">{label}</span>
      </label>
      <FieldNotes {...{ hint, hintId, error, errorId }} />
    </div>
  )
}
