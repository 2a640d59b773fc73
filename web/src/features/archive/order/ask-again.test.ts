import { expect, it } from 'vitest'

import { order } from '@/testing/samples'

import { unpaidAskedAgainAfter } from './ask-again'

const asked = (openForMs: number) => ({ times: 1, openForMs })

it.each([
  [0, 5000],
  [119_999, 5000],
  [120_000, 20_000],
  [3_600_000, 20_000],
])(
  'an order whose declined page is open is asked for again, %i ms after it was shown, after %i',
  (openForMs, after) => {
    const open = order({ status: 'failed', payment_state: 'declined_page_open' })
    expect(unpaidAskedAgainAfter(open, asked(openForMs))).toBe(after)
  },
)

it('an order that is under review is asked for again: it may turn out paid', () => {
  const doubted = order({ status: 'failed', payment_state: 'under_review' })
  expect(unpaidAskedAgainAfter(doubted, asked(0))).toBe(5000)
  expect(unpaidAskedAgainAfter(doubted, asked(120_000))).toBe(20_000)
})

it.each(['declined', 'not_sent', 'expired', 'refunded'] as const)('an order that is %s is not', (state) => {
  expect(unpaidAskedAgainAfter(order({ status: 'failed', payment_state: state }), asked(0))).toBe(false)
})
