/** Invisible characters that pasted text contains: soft hyphen, zero-width characters, word joiner, byte order mark. */
const INVISIBLE =
  /\u034F|\u17B4|\u17B5|[\u00AD\u115F\u1160\u180E\u200B-\u200D\u2060-\u2064\u206A-\u206F\u3164\uFEFF\uFFA0]/gu

const WHITE_SPACE = /\p{White_Space}/gu

/**
 * Characters that no text of a payment may have: control characters other than white space, direction marks, characters of private
 * use, tags, and code points that are no characters.
 */
const UNLAWFUL = /[\p{Cc}\p{Co}\p{NChar}\p{Bidi_C}\uFFFD\u{E0000}-\u{E007F}]/u

/**
 * What is not seen between digits and leaves them in their order: marks of the writing direction that spreadsheets and telephones put
 * around copied numbers, and variation selectors. What reverses the order that is seen is not among them.
 */
const UNSEEN_BETWEEN_DIGITS = /[\u200E\u200F\u202A\u202C\u2066\u2068\u2069\p{Variation_Selector}]/gu

/** Removes white space and characters that are not seen from a code. */
export function compact(text: string): string {
  return text.replace(INVISIBLE, '').replace(UNSEEN_BETWEEN_DIGITS, '').replace(WHITE_SPACE, '')
}

/** Converts a text to a line as it is stored: no invisible characters, white space as plain spaces, trimmed, each base with its mark as one character. */
export function plainLine(text: string): string {
  return text.replace(INVISIBLE, '').replaceAll('\r\n', ' ').replace(WHITE_SPACE, ' ').trim().normalize('NFC')
}

export function hasUnlawfulCharacters(text: string): boolean {
  return UNLAWFUL.test(text.replace(WHITE_SPACE, ''))
}

/** Counts the Unicode code points. */
export function countCharacters(text: string): number {
  return Array.from(text).length
}

/** Formats a long number in groups of four. */
export function groupFours(text: string): string {
  return text.replace(/(.{4})(?=.)/gu, '$1 ')
}
