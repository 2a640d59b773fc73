/** Mending what slips into a name while it is typed or pasted. The server does the same. */
import { CYRILLIC_OF_LATIN } from './look-alikes'
import { plainLine } from './text'

export interface MendedName {
  /** The name as it was typed, with single spaces. */
  readonly typed: string
  readonly name: string
}

/** Small Latin letters, and Y, that look like Cyrillic ones. */
const CYRILLIC_OF_SMALL: Readonly<Record<string, string>> = {
  Y: 'У',
  a: 'а',
  c: 'с',
  e: 'е',
  i: 'і',
  o: 'о',
  p: 'р',
  x: 'х',
  y: 'у',
  ï: 'ї',
}

const lookAlike = (letter: string) => CYRILLIC_OF_SMALL[letter] ?? CYRILLIC_OF_LATIN[letter]

// The apostrophe U+02BC is a letter for Unicode.
const LETTER = /(?!\u02BC)\p{Alphabetic}/u
const WORD = /[\p{Alphabetic}\u0300-\u036F'’`′‘´]+/gu
const APOSTROPHE_INSIDE =
  /((?!\u02BC)[\p{Alphabetic}\u0300-\u036F])['\u02BC`′‘´](?=(?!\u02BC)[\p{Alphabetic}\u0300-\u036F])/gu
const CYRILLIC = /[\u0400-\u052F]/u

/** Whether a word has Cyrillic letters, and others that all look like Cyrillic ones. */
function isMixed(word: string): boolean {
  const letters = Array.from(word).filter((character) => LETTER.test(character))
  return (
    letters.some((letter) => CYRILLIC.test(letter)) &&
    letters.some((letter) => !CYRILLIC.test(letter)) &&
    letters.every((letter) => CYRILLIC.test(letter) || lookAlike(letter) !== undefined)
  )
}

function mendWord(word: string): string {
  const straight = word.replace(APOSTROPHE_INSIDE, '$1’')
  return isMixed(word)
    ? straight.replace(/[A-Za-zÏï]/gu, (letter) => lookAlike(letter) ?? letter).normalize('NFC')
    : straight
}

/**
 * Returns the name with the apostrophe ’ in its words and without Latin letters inside Cyrillic words. Latin words stay: companies
 * and foreigners have them.
 */
export function mendName(text: string): MendedName {
  const typed = plainLine(text).replace(/ +/gu, ' ')
  return { typed, name: typed.replace(WORD, mendWord) }
}
