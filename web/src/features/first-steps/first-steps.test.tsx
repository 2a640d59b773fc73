import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { renderRoute } from '@/testing/render-route'
import { cart, olena, order } from '@/testing/samples'
import { answer, callsOf, startServer } from '@/testing/server'

vi.mock('@/lib/when-idle', () => ({
  whenIdle: (work: () => void) => {
    // Idle as soon as the browser has nothing else to do.
    const timer = setTimeout(work, 0)
    return () => clearTimeout(timer)
  },
}))

startServer()

const newcomer = { ...olena, iban: '', okpo: '' }
const visa = { Token: 'token-visa', MaskPan: '42424242****4242' }

beforeEach(() => {
  localStorage.clear()
  answer('get', '/api/cart', cart())
  answer('get', '/api/order/token/get-all-tokens-by-phone', { tokens: [], last_used: null })
  answer('get', '/api/order', { orders: [], next: null })
})
afterEach(() => localStorage.clear())

const steps = async () => within(await screen.findByRole('region', { name: 'Перші кроки' }))

// The first of the file, since the part stays loaded.
it('stand with the page, which they would move', async () => {
  const alone: boolean[] = []
  const watch = new MutationObserver(() => {
    if (document.querySelector('main') !== null)
      alone.push(document.querySelector('[aria-label="Перші кроки"]') === null)
  })
  watch.observe(document.body, { childList: true, subtree: true })
  await renderRoute('/cart', { notary: newcomer })
  await steps()
  watch.disconnect()
  expect(alone.length).toBeGreaterThan(0)
  expect(alone).not.toContain(true)
})

it('lead a newcomer to account, card and first payment', async () => {
  await renderRoute('/cart', { notary: newcomer })
  const list = await steps()
  expect(list.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/me#profile-iban',
    '/me/user-cards',
    '/',
  ])
})

it('know a card that was saved first', async () => {
  answer('get', '/api/tokenization/cards', { cards: { url: 'https://cards.example/uk' } })
  await renderRoute('/me/user-cards', { notary: newcomer })
  const list = await steps()
  const frame = await screen.findByTitle('Керування збереженими картками')
  fireEvent.load(frame)
  expect(list.getAllByRole('link')).toHaveLength(3)
  answer('get', '/api/order/token/get-all-tokens-by-phone', { tokens: [visa], last_used: null })
  fireEvent.load(frame)
  expect(await list.findByText('(зроблено)')).toBeInTheDocument()
  expect(list.queryByRole('link', { name: 'Збережена картка' })).toBeNull()
})

it('know a payment that needed no account', async () => {
  answer('get', '/api/order', { orders: [order()], next: null })
  await renderRoute('/cart', { notary: newcomer })
  const list = await steps()
  expect(await list.findByText('(зроблено)')).toBeInTheDocument()
  expect(list.queryByRole('link', { name: 'Перший платіж' })).toBeNull()
  expect(list.getByRole('link', { name: 'Рахунок і код' })).toBeVisible()
})

it('go on once the account is there, until card and payment are', async () => {
  localStorage.setItem(`cabinet.first-steps.${olena.id}`, 'open')
  answer('get', '/api/order/token/get-all-tokens-by-phone', { tokens: [visa], last_used: null })
  const { go } = await renderRoute('/cart')
  const list = await steps()
  await waitFor(() => expect(list.getAllByRole('link')).toHaveLength(1))
  expect(list.getByRole('link', { name: 'Перший платіж' })).toBeVisible()
  expect(list.getAllByText('(зроблено)')).toHaveLength(2)
  await go('/cart')
})

it('are over when all is done', async () => {
  localStorage.setItem(`cabinet.first-steps.${olena.id}`, 'open')
  answer('get', '/api/order/token/get-all-tokens-by-phone', { tokens: [visa], last_used: null })
  answer('get', '/api/order', { orders: [order()], next: null })
  await renderRoute('/cart')
  await waitFor(() => expect(localStorage.getItem(`cabinet.first-steps.${olena.id}`)).toBe('over'))
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Перші кроки' })).not.toBeInTheDocument())
})

it('leave the lists of the archive alone', async () => {
  localStorage.setItem(`cabinet.first-steps.${olena.id}`, 'open')
  answer('get', '/api/order', ({ query }) => ({
    orders: query['status'] === 'paid' ? [] : [order({ status: 'pending' })],
    next: null,
  }))
  answer('get', '/api/order/{id}/status', {
    status: 'paid',
    payment_state: 'paid',
    returned: [],
    items: [],
  })
  const { user } = await renderRoute('/archive')
  await user.click(await screen.findByRole('button', { name: /^Подробиці замовлення/u }))
  await waitFor(() => expect(callsOf('/api/order').map(({ query }) => query['status'])).toContain('paid'))
  await user.click(await screen.findByRole('button', { name: /^Оновити статус/u }))
  await waitFor(() => expect(screen.getAllByText('Сплачено').length).toBeGreaterThan(1))
  expect(screen.queryByRole('alert')).not.toBeInTheDocument()
})

it('can be hidden for good', async () => {
  const { user } = await renderRoute('/cart', { notary: newcomer })
  await user.click((await steps()).getByRole('button', { name: 'Сховати перші кроки' }))
  expect(screen.queryByRole('region', { name: 'Перші кроки' })).not.toBeInTheDocument()
  expect(localStorage.getItem(`cabinet.first-steps.${olena.id}`)).toBe('over')
})

it('are not shown to those who have used the cabinet before', async () => {
  await renderRoute('/cart')
  expect(await screen.findByText('Кошик порожній')).toBeVisible()
  expect(screen.queryByRole('region', { name: 'Перші кроки' })).not.toBeInTheDocument()
  expect(localStorage.getItem(`cabinet.first-steps.${olena.id}`)).toBeNull()
})

it('speak English', async () => {
  await renderRoute('/cart', { notary: newcomer, locale: 'en' })
  expect(await screen.findByRole('region', { name: 'First steps' })).toBeVisible()
})
