import type { components } from '@/api/schema'

import { countCharacters, hasUnlawfulCharacters, plainLine } from './text'
import { err, ok, type Result } from './result'

export type RegisterNumberRule = components['schemas']['RegisterNumber']

const LETTER_OR_DIGIT = /^[\p{Alphabetic}0-9 ]$/u

/** Parses a number in the register of notarial acts that is not empty, as the installation takes them. */
export function parseRegisterNumber(
  text: string,
  { chars_max: charsMax, marks }: RegisterNumberRule,
): Result<string, 'register_number_invalid' | 'text_invalid'> {
  const number = plainLine(text)
  if (hasUnlawfulCharacters(number)) return err('text_invalid')
  const isAllowed = (character: string) =>
    marks === null || LETTER_OR_DIGIT.test(character) || marks.includes(character)
  const isLawful = countCharacters(number) <= charsMax && Array.from(number).every(isAllowed)
  return isLawful ? ok(number) : err('register_number_invalid')
}
