import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx'
import { controlClass, FieldFrame, type FieldProps } from './field'

export interface TextFieldProps
  extends FieldProps, Omit<ComponentProps<'input'>, 'id' | 'children' | 'value'> {
  readonly value?: string
  readonly onValueChange?: (text: string) => void
  /** Holds a long number, all of which must be in sight on a phone. */
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
            className={cx(controlClass, long && 'control-long', after !== undefined && 'pr-11')}
          />
          {after}
        </div>
      )}
    </FieldFrame>
  )
}
