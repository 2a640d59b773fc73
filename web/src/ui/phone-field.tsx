import { useLayoutEffect, useRef, type ComponentProps } from 'react'
import { mergeRefs } from './merge-refs'
import { afterSubscriberDigits, formatPhoneTyping } from './phone-format'
import { TextField, type TextFieldProps } from './text-field'

export interface PhoneFieldProps extends Omit<
  TextFieldProps,
  'value' | 'defaultValue' | 'onChange' | 'onInput'
> {
  /** What stands in the field: as typed and shaped; read it with `parsePhone`. */
  readonly value: string
  readonly onValueChange: (text: string) => void
  readonly ref?: ComponentProps<'input'>['ref']
}

/**
 * A Ukrainian phone number, shaped as `+38 (0##) ###-##-##` while it is typed, pasted or filled in by the browser, in
 * whatever usual form it comes. It needs no mask library, since it stands on the first page that anybody loads.
 */
export function PhoneField({ value, onValueChange, ref, ...field }: PhoneFieldProps) {
  const inputRef = useRef<HTMLInputElement>(null)
  /** Digits of the subscriber before the caret, after a change in the middle; null: the caret belongs at the end. */
  const caret = useRef<number | null>(null)

  useLayoutEffect(() => {
    const input = inputRef.current
    if (input === null || caret.current === null || document.activeElement !== input) return
    const place = afterSubscriberDigits(value, caret.current)
    caret.current = null
    input.setSelectionRange(place, place)
  }, [value])

  function change(input: HTMLInputElement) {
    const at = input.selectionStart ?? input.value.length
    const next = formatPhoneTyping(input.value, value)
    caret.current =
      at < input.value.length
        ? formatPhoneTyping(input.value.slice(0, at), '').replace(/\D/gu, '').length - 3
        : null
    onValueChange(next)
  }

  return (
    <TextField
      type="tel"
      inputMode="tel"
      autoComplete="tel"
      {...field}
      ref={mergeRefs(ref, inputRef)}
      value={value}
      onChange={(event) => change(event.currentTarget)}
    />
  )
}
