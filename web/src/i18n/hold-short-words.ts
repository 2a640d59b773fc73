import type { Messages } from '@lingui/core'

/** Puts no-break spaces before dashes and percent signs and after Ukrainian words of one letter, so that no line begins or ends with them. */
export function holdShortWords(text: string): string {
  return text
    .replaceAll(' – ', '\u00A0– ')
    .replaceAll(/(?<=^|[\d}]) %/gu, '\u00A0%')
    .replaceAll(/(?<=^|[\s«(])([авзійоуяє]) (?=\S|$)/giu, '$1\u00A0')
}

/** A part of a compiled message: a text, or a placeholder with its name, its kind and, for a plural, the message of each form. */
function hold(part: unknown): unknown {
  if (typeof part === 'string') return holdShortWords(part)
  if (!Array.isArray(part)) return part
  const [name, kind, forms] = part as readonly unknown[]
  return typeof forms === 'object' && forms !== null ? [name, kind, holdInEach(forms)] : part
}

function holdInEach(messages: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(messages).map(([key, message]) => [
      key,
      Array.isArray(message) ? message.map(hold) : hold(message),
    ]),
  )
}

/** Applies `holdShortWords` to all texts of a compiled catalogue. */
export function holdShortWordsIn(messages: Messages): Messages {
  return holdInEach(messages) as Messages
}
