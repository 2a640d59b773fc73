/** Characters that nobody sees and pasting brings along: soft hyphen, zero-width ones, word joiner, byte order mark. */
const INVISIBLE = /[\u00AD\u200B-\u200D\u2060\uFEFF]/gu

const WHITE_SPACE = /\p{White_Space}/gu

/** Control characters other than white space, and marks that turn the direction of writing: never in a payment. */
const UNLAWFUL = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u

/** A code without the spaces and invisible characters that it was typed or pasted with. */
export function compact(text: string): string {
  return text.replace(INVISIBLE, '').replace(WHITE_SPACE, '')
}

/** A line of text as it is stored: invisible characters dropped, white space made plain spaces, ends trimmed. */
export function plainLine(text: string): string {
  return text.replace(INVISIBLE, '').replaceAll('\r\n', ' ').replace(WHITE_SPACE, ' ').trim()
}

export function hasUnlawfulCharacters(text: string): boolean {
  return UNLAWFUL.test(text.replace(WHITE_SPACE, ''))
}

/** Characters as a person counts them: a letter outside the basic plane is one, not two. */
export function countCharacters(text: string): number {
  return Array.from(text).length
}

/** A long number in groups of four, as it stands on paper and on a card. */
export function groupFours(text: string): string {
  return text.replace(/(.{4})(?=.)/gu, '$1 ')
}
