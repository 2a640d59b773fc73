import { expect, it } from 'vitest'

import { order, orderItem, returnedPart } from '@/testing/samples'

import { withStatus } from './merge-status'

const first = order({ id: 'a', status: 'pending', items: [orderItem({ id: 'a1' }), orderItem({ id: 'a2' })] })
const second = order({ id: 'b', status: 'pending' })
const data = {
  pages: [
    { orders: [first], next: 'x' },
    { orders: [second], next: null },
  ],
  pageParams: [null, 'x'],
}

it('merges the order’s and its items’ new statuses and leaves the other orders alone', () => {
  const merged = withStatus(data, 'a', {
    status: 'paid',
    payment_state: 'paid',
    items: [{ id: 'a2', status: 'refunded' }],
    returned: [returnedPart()],
  })
  expect(merged.pages[0]?.orders[0]).toMatchObject({
    status: 'paid',
    payment_state: 'paid',
    returned: [returnedPart()],
    items: [
      { id: 'a1', status: 'paid' },
      { id: 'a2', status: 'refunded' },
    ],
  })
  expect(merged.pages[1]?.orders[0]).toBe(second)
  expect(merged.pageParams).toEqual([null, 'x'])
})
