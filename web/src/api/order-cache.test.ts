import { InfiniteQueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'

import { gate } from '@/testing/gate'
import { order, orderItem } from '@/testing/samples'
import { answer, callsOf, lose, startServer } from '@/testing/server'

import { firstPaidKey, readOrderAnew, readOrdersAnew, type OrderList } from './order-cache'
import { orderQuery, ordersQuery, type Order, type OrderFilter } from './orders'
import { queryClient } from './query-client'
import { session } from './session'
import { transfersQuery } from './transfers'

startServer()

const day = (number: number) => `2026-11-${String(number).padStart(2, '0')}T10:00:00Z`
const third = order({ id: 'c', number: '3', status: 'pending', created_at: day(3) })
const second = order({ id: 'b', number: '2', status: 'pending', created_at: day(2) })
const first = order({ id: 'a', number: '1', status: 'failed', created_at: day(1) })

/** The orders on the server, the newest first, one on a page. */
let stored: Order[] = []

beforeEach(() => {
  stored = [third, second, first]
  queryClient.setDefaultOptions({ queries: { ...queryClient.getDefaultOptions().queries, retry: false } })
  session.open({ access_token: 'token', expires_in: 900, notary_id: 'a-notary' })
  answer('get', '/api/order', ({ query }) => {
    const matching = stored.filter(({ status }) => (query['status'] ?? status) === status)
    const from = query['before'] === undefined ? 0 : Number(query['before'])
    const page = matching.slice(from, from + 1)
    return { orders: page, next: from + 1 < matching.length ? String(from + 1) : null }
  })
  answer('get', '/api/order/{id}', ({ params }) => ({
    order: stored.find(({ id }) => id === params['id']) ?? first,
  }))
})
afterEach(() => {
  queryClient.clear()
  session.close()
})

const listOf = (filter: OrderFilter) => queryClient.getQueryData<OrderList>(ordersQuery(filter).queryKey)
const idsIn = (filter: OrderFilter) =>
  listOf(filter)?.pages.map(({ orders }) => orders.map(({ id }) => id).join(' '))
const statusesIn = (filter: OrderFilter) =>
  listOf(filter)?.pages.flatMap(({ orders }) => orders.map(({ status }) => status))

/** Renders a list with this number of pages. */
async function show(filter: OrderFilter, pages: number) {
  const list = new InfiniteQueryObserver(queryClient, ordersQuery(filter))
  onTestFinished(list.subscribe(() => undefined))
  await list.refetch()
  // oxlint-disable-next-line no-await-in-loop
  for (let loaded = 1; loaded < pages; loaded += 1) await list.fetchNextPage()
  return list
}

/** Changes an order on the server. */
function set(id: string, given: Partial<Order>) {
  stored = stored.map((each) => (each.id === id ? { ...each, ...given } : each))
}

/** How many calls the lists and the single orders have cost since. */
function counting() {
  const before = [callsOf('/api/order').length, callsOf('/api/order/{id}').length] as const
  return () => ({
    lists: callsOf('/api/order').length - before[0],
    orders: callsOf('/api/order/{id}').length - before[1],
  })
}

const isStale = (key: readonly unknown[]) => queryClient.getQueryState(key)?.isInvalidated

const settle = () => expect.poll(() => queryClient.isFetching()).toBe(0)

test('a message about an order on the last of three pages causes one call', async () => {
  await show({}, 3)
  const calls = counting()
  set('a', { status: 'paid', payment_state: 'paid' })
  await readOrderAnew('a')
  expect(calls()).toEqual({ lists: 0, orders: 1 })
  expect(callsOf('/api/order/{id}').at(-1)?.query).toEqual({ update_status: '0' })
  expect(statusesIn({})).toEqual(['pending', 'pending', 'paid'])
})

test('the transfers of an order and the first payment are read again with news, also without lists', async () => {
  const { queryKey } = transfersQuery('a')
  queryClient.setQueryData(queryKey, [])
  queryClient.setQueryData(firstPaidKey, { orders: [], next: null })
  await readOrderAnew('a')
  expect([isStale(queryKey), isStale(firstPaidKey)]).toEqual([true, true])
  queryClient.setQueryData(firstPaidKey, { orders: [], next: null })
  readOrdersAnew()
  expect(isStale(firstPaidKey)).toBe(true)
})

test('a new order that is not in the list has it reloaded once', async () => {
  await show({}, 2)
  const calls = counting()
  stored = [order({ id: 'd', created_at: day(4) }), ...stored]
  await readOrderAnew('d')
  await settle()
  expect(idsIn({})).toEqual(['d', 'c'])
  await readOrderAnew('d')
  expect(calls()).toEqual({ lists: 2, orders: 2 })
})

test('an order that only a search could find reloads the list of the search once', async () => {
  answer('post', '/api/order/search', { orders: [second], next: null })
  await show({ text: 'коваль' }, 1)
  await readOrderAnew('c')
  await readOrderAnew('c')
  await settle()
  expect(callsOf('/api/order/search')).toHaveLength(2)
})

test('an order on a page that was not loaded changes nothing', async () => {
  await show({}, 1)
  const calls = counting()
  await readOrderAnew('a')
  expect(calls()).toEqual({ lists: 0, orders: 1 })
  expect(idsIn({})).toEqual(['c'])
})

test('an order leaves the list of a status that it has no more, and comes into that of its new one', async () => {
  await show({ status: 'pending' }, 2)
  await show({ status: 'paid' }, 1)
  set('b', { status: 'paid' })
  await readOrderAnew('b')
  await settle()
  expect(idsIn({ status: 'pending' })).toEqual(['c', ''])
  expect(idsIn({ status: 'paid' })).toEqual(['b'])
})

test('an open page of an order gets what the list gets', async () => {
  queryClient.setQueryData(orderQuery('a').queryKey, first)
  set('a', { status: 'paid', items: [orderItem()] })
  await readOrderAnew('a')
  expect(queryClient.getQueryData(orderQuery('a').queryKey)?.status).toBe('paid')
})

test('an older answer in flight does not overwrite a newer order', async () => {
  const list = await show({}, 1)
  set('c', { status: 'paid' })
  const more = list.fetchNextPage()
  await readOrderAnew('c')
  await more
  expect(statusesIn({})).toEqual(['paid', 'pending'])
})

test('of two messages the later one is used', async () => {
  await show({}, 1)
  set('c', { status: 'failed' })
  const earlier = readOrderAnew('c')
  set('c', { status: 'paid' })
  await Promise.all([earlier, readOrderAnew('c')])
  expect(statusesIn({})).toEqual(['paid'])
})

test('nothing is read while no orders are cached', async () => {
  await readOrderAnew('a')
  readOrdersAnew()
  expect(callsOf('/api/order/{id}')).toHaveLength(0)
  expect(callsOf('/api/order')).toHaveLength(0)
})

test('an order that cannot be read has the lists reloaded', async () => {
  await show({}, 1)
  const calls = counting()
  lose('get', '/api/order/{id}', 1)
  await readOrderAnew('c')
  await settle()
  expect(calls().lists).toBe(1)
})

test('polling three pages causes one call, and one for each open order on the later pages', async () => {
  await show({}, 3)
  const calls = counting()
  set('b', { status: 'paid', payment_state: 'paid' })
  readOrdersAnew()
  await expect.poll(() => statusesIn({})).toEqual(['pending', 'paid', 'failed'])
  expect(calls()).toEqual({ lists: 1, orders: 1 })
  readOrdersAnew()
  await expect.poll(() => calls().lists).toBe(2)
  expect(calls().orders).toBe(1)
})

test('polling a first page with a new order reloads the list', async () => {
  await show({}, 2)
  stored = [order({ id: 'd', created_at: day(4) }), ...stored]
  readOrdersAnew()
  await expect.poll(() => idsIn({})).toEqual(['d', 'c'])
})

test('an order requested by one notary is not merged into the lists of the next one', async () => {
  await show({}, 2)
  const late = gate()
  answer('get', '/api/order/{id}', async () => {
    await late.passed
    return { order: { ...third, status: 'paid' } }
  })
  const reading = readOrderAnew('c')
  // Signing out empties the cache; the next notary has no orders yet.
  queryClient.clear()
  queryClient.setQueryData(ordersQuery({}).queryKey, {
    pages: [{ orders: [], next: null }],
    pageParams: [null],
  })
  late.open()
  await reading
  expect(idsIn({})).toEqual([''])
})
