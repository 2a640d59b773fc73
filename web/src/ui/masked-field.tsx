import type { MaskitoOptions } from '@maskito/core'
import { useMaskito } from '@maskito/react'
import { useMemo } from 'react'
import { mergeRefs } from './merge-refs'
import { TextField, type TextFieldProps } from './text-field'

export interface MaskedFieldProps extends TextFieldProps {
  /** A mask that never changes: define it outside of the component. The ready ones are in `masks.ts`. */
  readonly mask: MaskitoOptions
}

/** A text field that shapes what is typed or pasted, in whatever usual form it comes. */
export function MaskedField({ mask, ref, ...field }: MaskedFieldProps) {
  const maskRef = useMaskito({ options: mask })
  const merged = useMemo(() => mergeRefs(ref, maskRef), [ref, maskRef])
  return <TextField {...field} ref={merged} />
}
