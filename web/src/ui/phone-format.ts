import type { Mask } from './masks'

/** The initial text of a phone field. */
export const phoneStart = '+380'

/**
 * Returns the digits of the subscriber, at most nine, for each beginning of a number: `+380…`, `380…`, `8 0…` or `0…`, also after
 * the `+380` that the field opens with. No subscriber's number begins with a zero or with 380.
 */
function subscriberDigits(text: string): string {
  const digits = text.replace(/\D/gu, '')
  const long = digits.length >= 11 && digits.startsWith('80') ? digits.slice(2) : digits
  return long
    .replace(/^(?:380)+/u, '')
    .replace(/^0+/u, '')
    .slice(0, 9)
}

/** Formats the digits of the subscriber, which may be incomplete, as `+38 (0##) ###-##-##`. */
function shapePhone(digits: string): string {
  let shaped = '+38 (0'
  for (const [index, digit] of [...digits].entries()) {
    if (index === 2) shaped += ') '
    if (index === 5 || index === 7) shaped += '-'
    shaped += digit
  }
  return shaped
}

/**
 * Returns the text of the field after a change. A field that was emptied, or cut back into `+38 (0`, stays as it is, so that the
 * beginning can be removed, too.
 */
export function formatPhoneTyping(text: string, before: string): string {
  const digits = subscriberDigits(text)
  const removing = text.length < before.length
  if (text === '' || (removing && '+38 (0'.startsWith(text))) return text
  if (digits === '') return removing ? text : phoneStart
  // Backspace on a bracket or a dash removes the digit before it; otherwise it would have no effect.
  if (removing && subscriberDigits(before) === digits && before.startsWith(text))
    return shapePhone(digits.slice(0, -1))
  return shapePhone(digits)
}

/** The position behind the given number of the subscriber's digits in a formatted number. */
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
