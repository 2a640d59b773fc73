import { expect, it } from 'vitest'

import { isPayable, mayTakeMoney, paymentStateOf, takesCodes } from './payment-state'

it.each(['not_sent', 'declined_page_open', 'declined', 'expired'])(
  'an order that is %s can be paid',
  (state) => {
    expect(isPayable({ payment_state: state })).toBe(true)
  },
)

it.each(['unknown', 'waiting', 'paid', 'refunded', 'under_review', 'disputed'])(
  'nothing invites to pay an order that is %s',
  (state) => {
    expect(isPayable({ payment_state: state })).toBe(false)
  },
)

it.each(['unknown', 'waiting', 'declined_page_open', 'under_review'])(
  'an order that is %s may still turn out paid',
  (state) => {
    expect(mayTakeMoney({ payment_state: state })).toBe(true)
  },
)

it.each(['not_sent', 'declined', 'expired', 'paid', 'refunded', 'disputed', 'constructor'])(
  'an order that is %s is not asked for again',
  (state) => {
    expect(mayTakeMoney({ payment_state: state })).toBe(false)
  },
)

it.each([
  ['not_sent', true],
  ['waiting', true],
  ['declined_page_open', true],
  ['declined', true],
  ['expired', true],
  ['unknown', false],
  ['paid', false],
  ['refunded', false],
  ['under_review', false],
  ['disputed', false],
])('QR codes for an order that is %s: %s', (state, expected) => {
  expect(takesCodes({ payment_state: state, failure: null })).toBe(expected)
  expect(takesCodes({ payment_state: state, failure: 'order_returned_to_cart' })).toBe(false)
})

it('a state of a newer server is not guessed', () => {
  expect(paymentStateOf({ payment_state: 'under_review' })).toBe('under_review')
  expect(paymentStateOf({ payment_state: 'disputed' })).toBe('unfamiliar')
})
