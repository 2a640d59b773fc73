import { useRef, type ChangeEvent, type ComponentProps } from 'react'
import { applyMask } from './apply-mask'
import { cx } from './cx'
import { controlClass, FieldFrame, type FieldProps } from './field'
import { digitsMask } from './masks'

export interface CodeFieldProps
  extends FieldProps, Omit<ComponentProps<'input'>, 'id' | 'value' | 'onChange' | 'maxLength' | 'children'> {
  /** The number of digits of the code. */
  readonly length: number
  readonly value: string
  /** Called with the digits; spaces and dashes of a pasted code are removed. */
  readonly onValueChange: (code: string) => void
  /** Called once for each complete code. */
  readonly onComplete?: (code: string) => void
}

/** A one-time code in a single field, so that it can be pasted and filled in by the phone. */
export function CodeField({
  label,
  hint,
  caution,
  error,
  optional,
  id,
  length,
  value,
  onValueChange,
  onComplete,
  className,
  ...input
}: CodeFieldProps) {
  const completed = useRef<string | null>(null)

  function change(event: ChangeEvent<HTMLInputElement>) {
    const code = applyMask(event, digitsMask(length), value)
    onValueChange(code)
    if (code.length < length) completed.current = null
    else if (code !== completed.current) {
      completed.current = code
      onComplete?.(code)
    }
  }

  return (
    <FieldFrame
      {...{ label, hint, caution, error, className }}
      {...(optional && { optional })}
      {...(id && { id })}
    >
      {(control) => (
        <input
          type="text"
          inputMode="numeric"
          autoComplete="one-time-code"
          autoCorrect="off"
          spellCheck={false}
          {...input}
          {...control}
          value={value}
          onChange={change}
          className={cx(
            controlClass,
            'min-h-16 text-center text-2xl font-medium tracking-[0.5em] tabular-nums indent-[0.5em]',
          )}
        />
      )}
    </FieldFrame>
  )
}
