import { useRef, type ChangeEvent } from 'react'
import { applyMask } from './apply-mask'
import type { Mask } from './masks'
import { TextField, type TextFieldProps } from './text-field'

export interface MaskedFieldProps extends Omit<TextFieldProps, 'onChange'> {
  readonly mask: Mask
}

/** A text field that formats what is typed, pasted or filled in by the browser. */
export function MaskedField({ mask, onValueChange, ...field }: MaskedFieldProps) {
  const shown = useRef(field.value ?? '')

  function change(event: ChangeEvent<HTMLInputElement>) {
    shown.current = applyMask(event, mask, field.value ?? shown.current)
    onValueChange?.(shown.current)
  }

  return <TextField {...field} onChange={change} />
}
