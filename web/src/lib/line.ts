import { namesPaymentCard } from './payment-card'
import { err, ok, type Result } from './result'
import { countCharacters, hasUnlawfulCharacters, plainLine } from './text'

/** The longest name of a person or an entity, in characters: the limit of the national payment system, and of the server. */
const PERSON_NAME_CHARS_MAX = 140

// The rule of the server (`is_name`): Cyrillic or Latin letters, each with at most one further mark, the signs of ASCII and of companies.
const NAME_LETTER = String.raw`A-Za-zÀ-ÖØ-öø-\u024F\u1E00-\u1EFF\u0400-\u0481\u048A-\u052F`
const NAME = new RegExp(`^(?:[${NAME_LETTER}][\u0300-\u036F]?|[ -~’ʼ′‘´‐‑–—«»“”„№])+$`, 'u')
const HAS_LETTER = new RegExp(`[${NAME_LETTER}]`, 'u')

/** Parses a line of free text that must not be empty or name a payment card; `required` is the key of an empty one. */
export function parseLine<Key extends string>(
  text: string,
  required: Key,
): Result<string, Key | 'card_number_not_accepted'> {
  const line = plainLine(text)
  if (line === '') return err(required)
  return namesPaymentCard(text) ? err('card_number_not_accepted') : ok(line)
}

/** Parses the full name of a person or an entity; `required` is the key of an empty one. Runs of spaces become one space. */
export function parsePersonName<Key extends string>(
  text: string,
  required: Key,
): Result<string, Key | 'card_number_not_accepted' | 'text_too_long' | 'text_invalid' | 'name_invalid'> {
  const line = parseLine(text, required)
  if (!line.ok) return line
  if (hasUnlawfulCharacters(line.value)) return err('text_invalid')
  const name = line.value.replace(/ +/gu, ' ')
  if (countCharacters(name) > PERSON_NAME_CHARS_MAX) return err('text_too_long')
  return NAME.test(name) && HAS_LETTER.test(name) ? ok(name) : err('name_invalid')
}
