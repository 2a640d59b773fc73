/** Whether the check digit is right (Luhn). */
export function luhnFits(digits: string): boolean {
  let sum = 0
  for (const [index, digit] of [...digits].toReversed().entries()) {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2)
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}

/** Invisible characters: accents, format and private-use characters, blank letters. */
const INVISIBLE = /[\p{Mn}\p{Me}\p{Cf}\p{Co}\u115F\u1160\u2800]/gu

/** A digit, followed by digits and the characters that may stand between them. An underscore stands for an invisible one. */
const NUMBER = /\d[\d_\p{White_Space}\p{Pd}−./\\|*~'’·•]*/gu

/** The groups in which people write a number. */
const GROUPINGS: readonly (readonly number[])[] = [
  [16],
  Array.from({ length: 16 }, () => 1),
  [2, 2, 2, 2, 2, 2, 2, 2],
  [4, 4, 4, 4],
  [15],
  Array.from({ length: 15 }, () => 1),
  [4, 6, 5],
]

/** What stands before a digit: nothing, only underscores (perhaps the end of a group), or the end of a group. */
const NOTHING = 0
const UNSEEN = 1
const SEEN = 2

const DECIMAL = /^\p{Nd}$/u

/**
 * The value of a decimal digit of any script. The digits of a script are ten adjacent code points, and blocks of ten may follow
 * each other.
 */
function digitValue(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let first = code
  while (DECIMAL.test(String.fromCodePoint(first - 1))) first -= 1
  return String((code - first) % 10)
}

/** The text with digits of all scripts converted to ASCII, and an underscore for each invisible character. */
function plainDigits(text: string): string {
  return text
    .normalize('NFKC')
    .replace(INVISIBLE, '_')
    .replace(/\p{Nd}/gu, digitValue)
}

/** Whether this is a possible card number: sixteen digits, or fifteen of American Express, with a right check digit. */
function isCard(digits: string): boolean {
  return /^(?:[24-69]\d{15}|3[47]\d{13})$/u.test(digits) && luhnFits(digits)
}

/** The digits of a part of a text, and the gap before each and after the last. */
function readPart(part: string): { digits: string; gaps: readonly number[] } {
  let digits = ''
  let gap = SEEN
  const gaps: number[] = []
  for (const character of part) {
    if (/\d/u.test(character)) {
      digits += character
      gaps.push(gap)
      gap = NOTHING
    } else gap = Math.max(gap, character === '_' ? UNSEEN : SEEN)
  }
  return { digits, gaps: [...gaps, SEEN] }
}

/** Whether a group of the same length stands before or after. More than four groups of four in a row are an account number. */
function goesOn(gaps: readonly number[], start: number, end: number, length: number): boolean {
  const before = gaps.slice(0, start).toReversed().indexOf(SEEN)
  const after = gaps.slice(end + 1).indexOf(SEEN)
  return before + 1 === length || after + 1 === length
}

/** Whether a card in these groups starts at this digit. */
function hasCardAt(
  digits: string,
  gaps: readonly number[],
  start: number,
  groups: readonly number[],
): boolean {
  const ends = new Set([start])
  let end = start
  for (const length of groups) {
    end += length
    ends.add(end)
  }
  if (!isCard(digits.slice(start, end))) return false
  const inGroups = gaps
    .slice(start, end + 1)
    .every((gap, index) => (ends.has(start + index) ? gap !== NOTHING : gap !== SEEN))
  const [length] = groups
  const isOneOfMany = groups.length > 1 && length !== undefined && goesOn(gaps, start, end, length)
  return inGroups && !isOneOfMany
}

/**
 * Whether a free text contains a full card number: in one run of digits, one by one, in pairs, in exactly four groups of four, or
 * in the groups of American Express. Such a text is never sent. The server has the same rule and the same table of cases.
 */
export function namesPaymentCard(text: string): boolean {
  const parts = plainDigits(text).match(NUMBER) ?? []
  return parts.some((part) => {
    const { digits, gaps } = readPart(part)
    const starts = Array.from(digits, (_, start) => start)
    return GROUPINGS.some((groups) => starts.some((start) => hasCardAt(digits, gaps, start, groups)))
  })
}
