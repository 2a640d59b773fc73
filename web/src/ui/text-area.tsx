import { Plural, Trans } from '@lingui/react/macro'
import type { ComponentProps } from 'react'
import { cx } from './cx'
import { controlClass, FieldFrame, type FieldProps } from './field'

export interface TextAreaProps
  extends FieldProps, Omit<ComponentProps<'textarea'>, 'id' | 'children' | 'maxLength'> {
  /** How many characters are allowed. More can be typed or pasted, and the field says by how many it is over. */
  readonly limit?: number
  /** How many characters stand in the field now; needed with `limit`. */
  readonly length?: number
  readonly onValueChange?: (text: string) => void
}

/** From this number on the remaining characters are announced. */
const announcedLeft = 20

/** Several lines of text, with a counter where there is a limit. */
export function TextArea({
  label,
  hint,
  caution,
  error,
  optional,
  id,
  limit,
  length = 0,
  onValueChange,
  onChange,
  className,
  rows = 3,
  ...input
}: TextAreaProps) {
  const left = limit === undefined ? null : limit - length
  return (
    <FieldFrame
      {...{ label, hint, caution, error, className }}
      {...(optional && { optional })}
      {...(id && { id })}
    >
      {(control) => (
        <>
          <textarea
            rows={rows}
            {...input}
            {...control}
            onChange={(event) => {
              onChange?.(event)
              onValueChange?.(event.currentTarget.value)
            }}
            className={cx(controlClass, 'resize-y py-2.5')}
          />
          {left !== null && (
            <p
              aria-live={left <= announcedLeft ? 'polite' : 'off'}
              className={cx(
                'text-right text-sm tabular-nums',
                left < 0 ? 'font-medium text-danger' : 'text-ink-soft',
              )}
            >
              {left < 0 ? (
                <Trans>
                  Зайвих символів: {-left} (дозволено {limit})
                </Trans>
              ) : (
                <Plural
                  value={left}
                  one="Залишився # символ"
                  few="Залишилося # символи"
                  many="Залишилося # символів"
                  other="Залишилося # символу"
                />
              )}
            </p>
          )}
        </>
      )}
    </FieldFrame>
  )
}
