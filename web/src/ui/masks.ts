import { groupFours } from '@/lib/text'

/** How a field formats what is typed or pasted into it. */
export interface Mask {
  /** Returns the text that the field shows. `before` is what it showed before the change. */
  readonly format: (text: string, before: string) => string
  /**
   * Returns the place of the caret in the formatted text. `head` and `tail` are the typed text before and after the caret. By
   * default it is the length of the formatted head.
   */
  readonly caretIn?: (formatted: string, head: string, tail: string) => number
}

function digitsOf(text: string): string {
  return text.replace(/\D/gu, '')
}

/** UA and up to 29 digits in groups of four, as bank papers print them: two too many, so that the excess is seen. */
export const ibanMask: Mask = {
  format: (text) => {
    const digits = digitsOf(text).slice(0, 29)
    if (digits !== '') return groupFours(`UA${digits}`)
    // "UA" may be typed in small or in Cyrillic letters, or not at all.
    return 'UA'.slice(0, /^u[aа]?/iu.exec(text)?.[0].length ?? 0)
  },
}

/** Sixteen digits in groups of four; the stars of a number that is already masked may stay. */
export const cardMask: Mask = {
  format: (text) => groupFours(text.replace(/[^\d*•]/gu, '').slice(0, 16)),
}

/** `DD.MM.YYYY` */
export const dateMask: Mask = {
  format: (text) =>
    digitsOf(text)
      .slice(0, 8)
      .replace(/^(\d{2})(?=\d)/u, '$1.')
      .replace(/^(\d{2}\.\d{2})(?=\d)/u, '$1.'),
}

/** Only digits, up to this number. */
export function digitsMask(length: number): Mask {
  return { format: (text) => digitsOf(text).slice(0, length) }
}

/** Letters of both alphabets and digits, up to 15: a registry identifier. */
export const registryIdentifierMask: Mask = {
  format: (text) => text.replace(/[^\p{L}\p{N}_]/gu, '').slice(0, 15),
}
