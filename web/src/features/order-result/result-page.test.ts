import { expect, it } from 'vitest'

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
