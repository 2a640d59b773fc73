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

/** UA and up to 29 digits in groups of four. Two more digits than an IBAN has are allowed, so that an excess is visible. */
export const ibanMask: Mask = {
  format: (text) => {
    const digits = digitsOf(text).slice(0, 29)
    if (digits !== '') return groupFours(`UA${digits}`)
    // "UA" may be typed in small or Cyrillic letters, or left out.
    return 'UA'.slice(0, /^u[aа]?/iu.exec(text)?.[0].length ?? 0)
  },
}

/** Sixteen digits in groups of four. The asterisks of a masked number are allowed. */
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

/** Only digits, up to this number of them. */
export function digitsMask(length: number): Mask {
  return { format: (text) => digitsOf(text).slice(0, length) }
}

/** A registry identifier: up to 15 letters of any alphabet, digits and underscores. */
export const registryIdentifierMask: Mask = {
  format: (text) => text.replace(/[^\p{L}\p{N}_]/gu, '').slice(0, 15),
}
