/** Whether the check digit is right (Luhn). */
export function luhnFits(digits: string): boolean {
  let sum = 0
  for (const [index, digit] of [...digits].toReversed().entries()) {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2)
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}

/** Underscores and invisible characters: accents, format and private-use characters, blank letters. */
const UNSEEN = /[\p{Mn}\p{Me}\p{Cf}\p{Co}_\u115F\u1160\u2800]/gu

/** A digit, followed by digits and the characters that may separate the groups of a card number. */
const NUMBER = /\d[\d\p{White_Space}\p{Pd}−./\\|*~'’·•]*/gu

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

/** The text with digits of all scripts converted to ASCII and without invisible characters. */
function plainDigits(text: string): string {
  return text
    .normalize('NFKC')
    .replace(UNSEEN, '')
    .replace(/\p{Nd}/gu, digitValue)
}

/** Whether this is a possible card number: sixteen digits, or fifteen of American Express, with a right check digit. */
function isCard(digits: string): boolean {
  return /^(?:[24-69]\d{15}|3[47]\d{13})$/u.test(digits) && luhnFits(digits)
}

/** Joins adjacent groups of the given length. */
function equalGroups(groups: readonly string[], length: number): readonly string[] {
  return groups
    .map((group) => (group.length === length ? group : ' '))
    .join('')
    .split(' ')
}

/**
 * Whether a free text contains a full card number: in one run of digits, one by one, in pairs, in exactly four groups of four, or
 * in the groups of American Express. Such a text is never sent. The server has the same rule and the same table of cases.
 */
export function namesPaymentCard(text: string): boolean {
  const parts = plainDigits(text).match(NUMBER) ?? []
  return parts.some((part) => {
    const groups = part.match(/\d+/gu) ?? []
    return (
      groups.some(isCard) ||
      // More than four groups of four in a row are an account number.
      [1, 2, 4].some((length) => equalGroups(groups, length).some(isCard)) ||
      groups.some(
        (group, index) =>
          group.length === 4 &&
          groups[index + 1]?.length === 6 &&
          groups[index + 2]?.length === 5 &&
          isCard(groups.slice(index, index + 3).join('')),
      )
    )
  })
}
