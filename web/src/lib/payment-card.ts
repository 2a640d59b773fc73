/** Whether the last digit fits the others (Luhn). */
export function luhnFits(digits: string): boolean {
  let sum = 0
  for (const [index, digit] of [...digits].toReversed().entries()) {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2)
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}

/** Sixteen digits that begin as the cards used in Ukraine do and have a right check digit. */
function isCard(digits: string): boolean {
  return /^[24-69]\d{15}$/u.test(digits) && luhnFits(digits)
}

/**
 * Whether a free text names a payment card in full, in one run of digits or in exactly four groups of four. Such a text never
 * leaves the browser; the server refuses it by the same table of cases.
 */
export function namesPaymentCard(text: string): boolean {
  const parts = text.match(/\d[\d\s\-\u2010-\u2015]*/gu) ?? []
  return parts.some((part) => {
    const groups = part.split(/[\s\-\u2010-\u2015]+/u).filter((group) => group !== '')
    if (groups.some(isCard)) return true
    // More than four groups in a row are an account, not a card.
    const runs = groups
      .map((group) => (group.length === 4 ? group : ' '))
      .join('')
      .split(' ')
    return runs.some(isCard)
  })
}
