import { afterEach, expect, test, vi, type MockInstance } from 'vitest'
import { cartCountQuery } from '@/api/cart-count'
import { queryClient } from '@/api/query-client'
import { takeNews } from './live-updates'

afterEach(() => {
  vi.restoreAllMocks()
  queryClient.clear()
})

const keysOf = (invalidated: MockInstance<typeof queryClient.invalidateQueries>) =>
  invalidated.mock.calls.map(([filter]) => filter?.queryKey)

test('an order that changed elsewhere is read anew, wherever it is shown', () => {
  const invalidated = vi.spyOn(queryClient, 'invalidateQueries')
  takeNews({ order: { id: '1', status: 'paid' } })
  expect(keysOf(invalidated)).toEqual([['orders']])
})

test('a cart changed in another tab brings its number at once and its rows anew', () => {
  const invalidated = vi.spyOn(queryClient, 'invalidateQueries')
  queryClient.setQueryData(cartCountQuery().queryKey, 1)
  takeNews({ cart: { items_count: 3 } })
  expect(queryClient.getQueryData(cartCountQuery().queryKey)).toBe(3)
  expect(keysOf(invalidated)).toEqual([['cart', 'groups']])
})

test('what is known already, and what is no news, changes nothing', () => {
  const invalidated = vi.spyOn(queryClient, 'invalidateQueries')
  queryClient.setQueryData(cartCountQuery().queryKey, 3)
  for (const publication of [{ cart: { items_count: 3 } }, { cart: null }, { order: 7 }, null, 'text']) {
    takeNews(publication)
  }
  expect(invalidated).not.toHaveBeenCalled()
})
