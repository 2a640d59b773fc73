import { namesPaymentCard } from './payment-card'
import { err, ok, type Result } from './result'
import { countCharacters, plainLine } from './text'

/** The longest name of a person or an entity, in characters: the limit of the national payment system, and of the server. */
const PERSON_NAME_CHARS_MAX = 140

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
): Result<string, Key | 'card_number_not_accepted' | 'text_too_long'> {
  const line = parseLine(text, required)
  if (!line.ok) return line
  const name = line.value.replace(/ +/gu, ' ')
  return countCharacters(name) > PERSON_NAME_CHARS_MAX ? err('text_too_long') : ok(name)
}
