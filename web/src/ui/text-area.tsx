import { Plural, Trans } from '@lingui/react/macro'
import type { ComponentProps } from 'react'
import { cx } from './cx'
import { controlClass, FieldFrame, type FieldProps } from './field'

export interface TextAreaProps
  extends FieldProps, Omit<ComponentProps<'textarea'>, 'id' | 'children' | 'maxLength'> {
  /** The largest number of characters. More can be typed or pasted; the counter then shows the excess. */
  readonly limit?: number
  /** The current number of characters; required with `limit`. */
  readonly length?: number
  readonly onValueChange?: (text: string) => void
}

/** The remaining characters are announced from this number down. */
const announcedLeft = 20

/** A text field of several lines, with a counter if there is a limit. */
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
          {limit !== undefined && <CharactersLeft limit={limit} length={length} />}
        </>
      )}
    </FieldFrame>
  )
}

interface CharactersLeftProps {
  readonly limit: number
  readonly length: number
}

/** Counts the characters that are left, or those that are too many. */
function CharactersLeft({ limit, length }: CharactersLeftProps) {
  const left = limit - length
  return (
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
  )
}
