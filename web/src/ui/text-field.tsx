import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx'
import { controlClass, FieldFrame, type FieldProps } from './field'

export interface TextFieldProps extends FieldProps, Omit<ComponentProps<'input'>, 'id' | 'children'> {
  /** A short unit at the right end, as the currency. */
  readonly suffix?: ReactNode
  /** A long number, as an account's: set closer on a phone, so that all of it is seen at once. */
  readonly long?: boolean
}

/** One line of text. Everything an `input` takes goes to it, `ref` of a form library included. */
export function TextField({
  label,
  hint,
  caution,
  error,
  optional,
  id,
  suffix,
  long = false,
  className,
  ...input
}: TextFieldProps) {
  return (
    <FieldFrame
      {...{ label, hint, caution, error, className }}
      {...(optional && { optional })}
      {...(id && { id })}
    >
      {(control) =>
        suffix ? (
          <span className="relative flex">
            <input type="text" {...input} {...control} className={cx(controlClass, 'pr-14')} />
            <span
              aria-hidden="true"
              className="pointer-events-none absolute inset-y-0 right-3.5 flex items-center text-ink-soft"
            >
              {suffix}
            </span>
          </span>
        ) : (
          <input
            type="text"
            {...input}
            {...control}
            className={cx(controlClass, long && 'max-sm:px-2.5 max-sm:text-[1rem] max-sm:tracking-[-0.03em]')}
          />
        )
      }
    </FieldFrame>
  )
}
