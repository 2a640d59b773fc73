/** Latin capitals that look like Cyrillic ones. They are typed when the keyboard is left in English. */
export const CYRILLIC_OF_LATIN: Readonly<Record<string, string>> = {
  A: 'А',
  B: 'В',
  C: 'С',
  E: 'Е',
  H: 'Н',
  I: 'І',
  K: 'К',
  M: 'М',
  O: 'О',
  P: 'Р',
  T: 'Т',
  X: 'Х',
  Ï: 'Ї',
}

/** Replaces the Latin capitals that look like a Cyrillic one and leaves everything else. */
export function cyrillicCapitals(text: string): string {
  return text.replace(/[A-ZÏ]/gu, (letter) => CYRILLIC_OF_LATIN[letter] ?? letter)
}
