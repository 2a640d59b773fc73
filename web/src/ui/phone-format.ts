import type { Mask } from './masks'

/** The initial text of a phone field. */
export const phoneStart = '+380'

/** What stands before the digits of the subscriber. */
const beginning = '+38 (0'

/**
 * Returns the digits of the subscriber, at most nine, for each beginning of a number: `+380…`, `380…`, `00380…`, `8 0…` or `0…`, also
 * after the `+380` that the field opens with. No subscriber's number begins with a zero or with 380, and none of ten digits with 80.
 */
function subscriberDigits(text: string): string {
  const digits = text.replace(/\D/gu, '').replace(/^(?:380|0)+/u, '')
  const bare = digits.length > 9 ? digits.replace(/^80(?=[1-9])/u, '') : digits
  return bare.slice(0, 9)
}

/** Formats the digits of the subscriber, which may be incomplete, as `+38 (0##) ###-##-##`. */
function shapePhone(digits: string): string {
  let shaped = beginning
  for (const [index, digit] of [...digits].entries()) {
    if (index === 2) shaped += ') '
    if (index === 5 || index === 7) shaped += '-'
    shaped += digit
  }
  return shaped
}

/** Whether one character was typed into the beginning, or removed from it, in front of digits of the subscriber. */
function isBeginningTouched(text: string, before: string): boolean {
  const rest = before.startsWith(beginning) ? before.slice(beginning.length) : ''
  if (rest === '' || Math.abs(text.length - before.length) !== 1 || !text.endsWith(rest)) return false
  return !text.startsWith(beginning)
}

/**
 * Returns the text of the field after a change. A field that was emptied, or cut back into `+38 (0`, stays as it is, so that the
 * beginning can be removed, too. In front of a number the beginning can't be edited: its digits would become the subscriber's.
 */
export function formatPhoneTyping(text: string, before: string): string {
  if (isBeginningTouched(text, before)) return before
  const digits = subscriberDigits(text)
  const removing = text.length < before.length
  if (text === '' || (removing && beginning.startsWith(text))) return text
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
