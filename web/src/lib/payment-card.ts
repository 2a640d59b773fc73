/** Whether the last digit fits the others (Luhn). */
export function luhnFits(digits: string): boolean {
  let sum = 0
  for (const [index, digit] of [...digits].toReversed().entries()) {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2)
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}

/** Underscores and the marks that nobody sees: accents, format and private-use characters, blank letters. */
const UNSEEN = /[\p{Mn}\p{Me}\p{Cf}\p{Co}_\u115F\u1160\u2800]/gu

/** A digit, and what may stand between the groups of a card number. */
const NUMBER = /\d[\d\p{White_Space}\p{Pd}−./\\|*~'’·•]*/gu

const DECIMAL = /^\p{Nd}$/u

/** The value of a decimal digit: those of a script stand in a row from zero to nine, sometimes several rows. */
function digitValue(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let first = code
  while (DECIMAL.test(String.fromCodePoint(first - 1))) first -= 1
  return String((code - first) % 10)
}

/** The text with the digits of every script as ASCII digits and without what nobody sees. */
function plainDigits(text: string): string {
  return text
    .normalize('NFKC')
    .replace(UNSEEN, '')
    .replace(/\p{Nd}/gu, digitValue)
}

/** The number of a card in use, with a right check digit: sixteen digits, or fifteen of American Express. */
function isCard(digits: string): boolean {
  return /^(?:[24-69]\d{15}|3[47]\d{13})$/u.test(digits) && luhnFits(digits)
}

/** Groups of the same length in a row, put together. */
function equalGroups(groups: readonly string[], length: number): readonly string[] {
  return groups
    .map((group) => (group.length === length ? group : ' '))
    .join('')
    .split(' ')
}

/**
 * Whether a free text names a payment card in full: in one run of digits, one by one, in pairs, in exactly four groups of four, or in
 * the groups of American Express. Such a text never leaves the browser; the server refuses it by the same table of cases.
 */
export function namesPaymentCard(text: string): boolean {
  const parts = plainDigits(text).match(NUMBER) ?? []
  return parts.some((part) => {
    const groups = part.match(/\d+/gu) ?? []
    return (
      groups.some(isCard) ||
      // More than four groups of four in a row are an account, not a card.
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
