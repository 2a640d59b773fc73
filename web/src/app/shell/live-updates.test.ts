import { afterEach, expect, test, vi, type MockInstance } from 'vitest'
import { cartQuery } from '@/api/cart'
import { cartCountQuery } from '@/api/cart-count'
import { queryClient } from '@/api/query-client'
import { takeNews } from './live-updates'

afterEach(() => {
  vi.restoreAllMocks()
  queryClient.clear()
})

const keysOf = (invalidated: MockInstance<typeof queryClient.invalidateQueries>) =>
  invalidated.mock.calls.map(([filter]) => filter?.queryKey)

test('a cart changed in another tab brings its number at once and its rows anew', () => {
  const invalidated = vi.spyOn(queryClient, 'invalidateQueries')
  queryClient.setQueryData(cartCountQuery().queryKey, 1)
  takeNews({ cart: { version: 5, items_count: 3 } })
  expect(queryClient.getQueryData(cartCountQuery().queryKey)).toBe(3)
  expect(keysOf(invalidated)).toEqual([['cart', 'groups']])
})

test('a count that was changed in another tab is read, though the number of payments stays', () => {
  const invalidated = vi.spyOn(queryClient, 'invalidateQueries')
  queryClient.setQueryData(cartCountQuery().queryKey, 1)
  queryClient.setQueryData(cartQuery().queryKey, { version: 4, items_count: 1, groups: [] })
  takeNews({ cart: { version: 5, items_count: 1 } })
  expect(keysOf(invalidated)).toEqual([['cart', 'groups']])
})

test('what is known already, and what is no news, changes nothing', () => {
  const invalidated = vi.spyOn(queryClient, 'invalidateQueries')
  queryClient.setQueryData(cartCountQuery().queryKey, 3)
  queryClient.setQueryData(cartQuery().queryKey, { version: 5, items_count: 3, groups: [] })
  for (const publication of [
    { cart: { version: 5, items_count: 3 } },
    { cart: { version: 4, items_count: 2 } },
    { cart: { items_count: 7 } },
    { cart: null },
    { order: 7 },
    null,
    'text',
  ]) {
    takeNews(publication)
  }
  expect(invalidated).not.toHaveBeenCalled()
  expect(queryClient.getQueryData(cartCountQuery().queryKey)).toBe(3)
})
