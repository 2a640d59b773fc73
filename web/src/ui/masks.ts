/** The masks of the product (specification, points 2 and 5). Each takes every usual way of typing and pasting. */
import type { MaskitoOptions, MaskitoPreprocessor } from '@maskito/core'

const digit = /\d/u

/** Shapes the whole text anew when something is put at its end; a correction in the middle is left to the mask. */
function shapeWhole(shape: (text: string) => string): MaskitoPreprocessor {
  return ({ elementState, data }, action) => {
    const { value, selection } = elementState
    if (action !== 'insert' || selection[1] !== value.length) return { elementState, data }
    return {
      elementState: { value: '', selection: [0, 0] },
      data: shape(value.slice(0, selection[0]) + data),
    }
  }
}

/** UA and up to 29 digits in groups of four, as bank papers print them. */
export const ibanMask: MaskitoOptions = {
  mask: Array.from({ length: 31 }, (_, index) => ['U', 'A'][index] ?? digit).flatMap((place, index) =>
    index > 0 && index % 4 === 0 ? [' ', place] : [place],
  ),
  // "UA" may be typed in small or in Cyrillic letters, or not at all: the mask puts it there itself.
  preprocessors: [shapeWhole((text) => text.replace(/\D/gu, ''))],
}

/** Sixteen digits in groups of four; the stars of a number that is already masked may stay. */
export const cardMask: MaskitoOptions = {
  mask: Array.from({ length: 19 }, (_, index) => (index % 5 === 4 ? ' ' : /[\d*•]/u)),
}

/** `DD.MM.YYYY` */
export const dateMask: MaskitoOptions = {
  mask: [digit, digit, '.', digit, digit, '.', digit, digit, digit, digit],
}

/** Up to so many digits and nothing else. */
export function digitsMask(length: number): MaskitoOptions {
  return { mask: Array.from({ length }, () => digit) }
}

/** Letters of both alphabets and digits, up to 15: a registry identifier. */
export const registryIdentifierMask: MaskitoOptions = {
  mask: Array.from({ length: 15 }, () => /[\p{L}\p{N}_]/u),
}
