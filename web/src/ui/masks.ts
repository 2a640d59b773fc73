import { compact, groupFours } from '@/lib/text'

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

/** The beginning of an account of another country, which stays as it is: its digits alone would look like one of Ukraine. */
const FOREIGN_IBAN = /^(?!u(?:$|[aа\d]))\p{L}/iu

/** How many digits a field takes beyond those of a whole number, so that an excess is seen and refused. */
const EXCESS = 2

/** UA and the digits of an IBAN in groups of four. */
export const ibanMask: Mask = {
  format: (text) => {
    const bare = compact(text)
    if (FOREIGN_IBAN.test(bare)) return groupFours(bare.toUpperCase().slice(0, 34))
    const digits = digitsOf(text).slice(0, 27 + EXCESS)
    if (digits !== '') return groupFours(`UA${digits}`)
    // "UA" may be typed in small or Cyrillic letters, or left out.
    return 'UA'.slice(0, /^u[aа]?/iu.exec(text)?.[0].length ?? 0)
  },
}

/** The digits of a card in groups of four, at most the nineteen of the longest. The asterisks of a masked number are allowed. */
export const cardMask: Mask = {
  format: (text) => groupFours(text.replace(/[^\d*•]/gu, '').slice(0, 19)),
}

/** Only digits, up to this number of them. */
export function digitsMask(length: number): Mask {
  return { format: (text) => digitsOf(text).slice(0, length) }
}

/** The digits of a code that has at most so many. */
export function codeMask(length: number): Mask {
  return digitsMask(length + EXCESS)
}

/** A registry identifier: up to 15 letters of any alphabet and digits. */
export const registryIdentifierMask: Mask = {
  format: (text) => text.replace(/[^\p{L}\p{N}]/gu, '').slice(0, 15),
}

/** A registry identifier that an account may have: earlier ones may have underscores. */
export const knownIdentifierMask: Mask = {
  format: (text) => text.replace(/[^\p{L}\p{N}_]/gu, '').slice(0, 15),
}
