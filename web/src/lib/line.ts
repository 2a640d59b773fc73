import { namesPaymentCard } from './payment-card'
import { err, ok, type Result } from './result'
import { plainLine } from './text'

/** Parses a line of free text that must not be empty or name a payment card; `required` is the key of an empty one. */
export function parseLine<Key extends string>(
  text: string,
  required: Key,
): Result<string, Key | 'card_number_not_accepted'> {
  const line = plainLine(text)
  if (line === '') return err(required)
  return namesPaymentCard(text) ? err('card_number_not_accepted') : ok(line)
}
