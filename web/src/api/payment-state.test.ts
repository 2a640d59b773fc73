import { expect, it } from 'vitest'

import { isPayable, paymentStateOf } from './payment-state'

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

it('a state of a newer server is not guessed', () => {
  expect(paymentStateOf({ payment_state: 'under_review' })).toBe('under_review')
  expect(paymentStateOf({ payment_state: 'disputed' })).toBe('unfamiliar')
})
