import type { Mask } from './masks'

/** What a phone field opens with. */
export const phoneStart = '+380'

/**
 * Leaves the nine digits of a subscriber, whichever way the number begins: `+380…`, `380…`, `8 0…` or `0…`, also after
 * the `+380` that the field opens with. No subscriber's number begins with a zero or with 380.
 */
export function subscriberDigits(text: string): string {
  const digits = text.replace(/\D/gu, '')
  const long = digits.length >= 11 && digits.startsWith('80') ? digits.slice(2) : digits
  return long
    .replace(/^(?:380)+/u, '')
    .replace(/^0+/u, '')
    .slice(0, 9)
}

/** The digits in the form `+38 (0##) ###-##-##`, as far as they go. */
export function shapePhone(digits: string): string {
  let shaped = '+38 (0'
  for (const [index, digit] of [...digits].entries()) {
    if (index === 2) shaped += ') '
    if (index === 5 || index === 7) shaped += '-'
    shaped += digit
  }
  return shaped
}

/**
 * What stands in the field after a change. A field that has been emptied, or cut back into its beginning, is left as it is,
 * so that the beginning can be removed, too.
 */
export function formatPhoneTyping(text: string, before: string): string {
  const digits = subscriberDigits(text)
  const removing = text.length < before.length
  if (text === '' || (removing && '+38 (0'.startsWith(text))) return text
  if (digits === '') return removing ? text : phoneStart
  // One press of the backspace key on a bracket or a dash takes the digit before it, or the press would do nothing.
  if (removing && subscriberDigits(before) === digits && before.startsWith(text))
    return shapePhone(digits.slice(0, -1))
  return shapePhone(digits)
}

/** Where the caret stands in a shaped number after so many of the subscriber's digits. */
export function afterSubscriberDigits(shaped: string, count: number): number {
  let seen = 0
  for (const [index, sign] of [...shaped].entries()) {
    // The first three digits are the country's and the zero.
    if (/\d/u.test(sign)) seen += 1
    if (seen === count + 3) return index + 1
  }
  return shaped.length
}

export const phoneMask: Mask = {
  format: formatPhoneTyping,
  caretIn: (formatted, head) => afterSubscriberDigits(formatted, subscriberDigits(head).length),
}
