import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx'
import { controlClass, FieldFrame, type FieldProps } from './field'

export interface TextFieldProps
  extends FieldProps, Omit<ComponentProps<'input'>, 'id' | 'children' | 'value'> {
  readonly value?: string
  readonly onValueChange?: (text: string) => void
  /** Narrows a long number on a phone, so that all of it is visible. */
  readonly long?: boolean
  /** Stands in the field, at its end. */
  readonly after?: ReactNode
}

/** A text field of one line. All other props are passed to the `input`. */
export function TextField({
  label,
  hint,
  explainedBy,
  caution,
  error,
  optional,
  id,
  long = false,
  after,
  onValueChange,
  onChange,
  className,
  ...input
}: TextFieldProps) {
  return (
    <FieldFrame
      {...{ label, hint, explainedBy, caution, error, className }}
      {...(optional && { optional })}
      {...(id && { id })}
    >
      {(control) => (
        <div className="relative">
          <input
            type="text"
            {...input}
            {...control}
            onChange={(event) => {
              onChange?.(event)
              onValueChange?.(event.currentTarget.value)
            }}
            className={cx(
              controlClass,
              long && 'max-sm:px-2.5 max-sm:text-[1rem] max-sm:tracking-[-0.03em]',
              after !== undefined && 'pr-11',
            )}
          />
          {after}
        </div>
      )}
    </FieldFrame>
  )
}
