import { expect, test } from 'vitest'
import { groupCard, parseProfileCard } from './card'

test.each([
  ['4242 4242 4242 4242', '424242******4242'],
  ['4242424242424242', '424242******4242'],
  ['4242 42** **** 4242', '424242******4242'],
  ['4242 42•• •••• 4242', '424242******4242'],
])('%s is kept as its first six and last four digits', (typed, kept) => {
  expect(parseProfileCard(typed)).toEqual({ ok: true, value: kept })
})

test.each(['4242 4242 4242 4243', '4242', '4242 4242 4242 42', '4242 42** **** 42*2', '42424242****4242'])(
  '%s is refused',
  (typed) => {
    expect(parseProfileCard(typed)).toEqual({ ok: false, error: 'card_pan_invalid' })
  },
)

test('a masked number is shown in groups of four', () => {
  expect(groupCard('424242******4242')).toBe('4242 42** **** 4242')
})
