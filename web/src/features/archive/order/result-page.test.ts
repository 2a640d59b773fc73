import { expect, it } from 'vitest'

import type { OrderStatus } from '@/api/orders'

import { resultPageOf } from './result-page'

it.each([
  ['paid', 'success'],
  ['pending', 'pending'],
  ['in_progress', 'pending'],
  ['failed', 'error'],
  ['expired', 'error'],
  ['refunded', 'error'],
] as const)('%s is told on the page %s', (status, page) => {
  expect(resultPageOf(status)).toBe(page)
})

it('a status that the page does not know leads to the error page', () => {
  expect(resultPageOf('disputed' as OrderStatus)).toBe('error')
})
