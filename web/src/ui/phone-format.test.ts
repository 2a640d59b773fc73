import { expect, test } from 'vitest'
import { afterSubscriberDigits, formatPhoneTyping, phoneStart } from './phone-format'

/** Types the text at the end of the field, character by character. */
function type(text: string, from = phoneStart): string {
  let value = from
  for (const sign of text) value = formatPhoneTyping(value + sign, value)
  return value
}

const whole = '+38 (067) 123-45-67'

test.each([
  '0671234567',
  '671234567',
  '380671234567',
  '+380671234567',
  '+38 067 123-45-67',
  '+38 (067) 123-45-67',
  '8 067 123-45-67',
  '00380671234567',
  '8 (067) 123 45 67',
])('%s typed after the opened +380 is one number', (text) => {
  expect(type(text)).toBe(whole)
  expect(type(text, '')).toBe(whole)
})

const pasted = [
  '0671234567',
  '+38 067 123-45-67',
  '380671234567',
  '00380671234567',
  '(067) 123 45 67',
  '+380 67 123 45 67',
  '8 067 123 45 67',
  'tel:+380671234567',
  '067/123-45-67',
  '\u202A+380671234567\u202C',
]

test.each(pasted)('%s pasted instead of what stands there is the same number', (text) => {
  expect(formatPhoneTyping(text, '')).toBe(whole)
})

test.each(pasted)('%s pasted behind the opened +380 is the same number', (text) => {
  expect(formatPhoneTyping(phoneStart + text, phoneStart)).toBe(whole)
})

test.each(['0800123456', '+380 80 012 34 56'])('%s, a number that begins with 80, stays one', (text) => {
  expect(type(text)).toMatch(/^\+38 \(080\) [01]/u)
  expect(formatPhoneTyping(text, '')).toBe(type(text))
})

test.each([
  ['+3 (067) 123-45-67', 'Backspace on the 8'],
  ['+38 067) 123-45-67', 'Backspace on the bracket'],
  ['+358 (067) 123-45-67', 'a digit in the beginning'],
  ['5+38 (067) 123-45-67', 'a digit before all'],
])('%s: %s leaves the number as it was', (text) => {
  expect(formatPhoneTyping(text, whole)).toBe(whole)
})

test('a tenth digit is not taken', () => {
  expect(type('06712345678')).toBe(whole)
})

test('the backspace key removes digit after digit, through brackets and dashes, down to nothing', () => {
  let value = whole
  const seen = [value]
  for (let press = 0; press < 30 && value !== ''; press += 1) {
    value = formatPhoneTyping(value.slice(0, -1), value)
    seen.push(value)
  }
  expect(seen).toContain('+38 (067')
  expect(seen.at(-1)).toBe('')
})

test('the caret stays behind the digit that was typed in the middle', () => {
  // "+38 (067) 12|3": the caret is behind four digits of the subscriber.
  expect(afterSubscriberDigits('+38 (067) 123-45-67', 4)).toBe('+38 (067) 12'.length)
  expect(afterSubscriberDigits('+38 (067) 123-45-67', 0)).toBe('+38 (0'.length)
})
