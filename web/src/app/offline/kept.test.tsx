import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'

import {
  keepLastCart,
  keptGroup,
  LAST_CART,
  notaryWithoutServer,
  readLastCart,
  rememberNotary,
} from '@/api/last-cart'
import { cartQuery, type Cart } from '@/api/cart'
import { queryClient } from '@/api/query-client'
import { session } from '@/api/session'
import { forgetTab, keepInTab, keptInTab } from '@/lib/tab-storage'
import { renderRoute } from '@/testing/render-route'
import { cart, cartItem, koval, olena } from '@/testing/samples'
import { answer, lose, startServer } from '@/testing/server'

startServer()

/** The notary of the session that `renderRoute` opens. */
const notary = { ...olena, id: 'a-notary' }

beforeEach(() => {
  session.close()
  answer('get', '/api/cart/client/last', { client: null })
  lose('get', '/api/deal/kinds', 3)
})
afterEach(() => {
  cleanup()
  forgetTab()
})

it('shows what the tab keeps where the page can’t be opened', async () => {
  rememberNotary({ id: notary.id, endsAt: Date.now() + 60_000 })
  keepInTab('draft', notary.id, {
    values: { clientName: 'Коваль Ігор', amount: '15,00', purpose: '' },
    wish: null,
  })
  keepInTab('draft sheet', notary.id, { rows: [{}, {}], unknownHeadings: [], intent: null })
  const { groups } = cart(cartItem())
  keepInTab(LAST_CART, notary.id, { at: Date.parse('2026-06-01T09:00:00Z'), groups: groups.map(keptGroup) })
  await renderRoute('/deal', { notary })
  expect(await screen.findByRole('heading', { name: 'Сторінку не вдалося відкрити' })).toBeVisible()
  expect(await screen.findByText('Коваль Ігор')).toBeVisible()
  expect(screen.getByText('15,00')).toBeVisible()
  expect(screen.queryByText('Призначення платежу')).toBeNull()
  expect(screen.getByText('Із таблиці збережено 2 рядки.')).toBeVisible()
  expect(screen.getByRole('heading', { name: /^Кошик станом на 01\.06\.26, 12:00/u })).toBeVisible()
  expect(screen.getByText(koval.full_name)).toBeVisible()
})

it('writes the moment of the cart in English as everywhere', async () => {
  rememberNotary({ id: notary.id, endsAt: Date.now() + 60_000 })
  const { groups } = cart(cartItem())
  keepInTab(LAST_CART, notary.id, { at: Date.parse('2026-06-01T09:00:00Z'), groups: groups.map(keptGroup) })
  await renderRoute('/deal', { notary, locale: 'en' })
  expect(await screen.findByRole('heading', { name: /01\.06\.26, 12:00$/u })).toBeVisible()
})

it('shows nothing of another notary', async () => {
  rememberNotary({ id: 'somebody-else', endsAt: null })
  keepInTab('draft', 'somebody-else', { values: { clientName: 'Коваль Ігор' }, wish: null })
  await renderRoute('/deal', { notary })
  expect(await screen.findByRole('heading', { name: 'Сторінку не вдалося відкрити' })).toBeVisible()
  await waitFor(() => expect(sessionStorage.getItem('cabinet.draft')).toBeNull())
  expect(screen.queryByText('Коваль Ігор')).toBeNull()
})

it('shows nothing once the session is over, whatever the browser says of it', async () => {
  rememberNotary({ id: notary.id, endsAt: Date.now() - 1 })
  keepInTab('draft', notary.id, { values: { clientName: 'Коваль Ігор' }, wish: null })
  await renderRoute('/deal', { notary })
  expect(await screen.findByRole('heading', { name: 'Сторінку не вдалося відкрити' })).toBeVisible()
  expect(screen.queryByText('Коваль Ігор')).toBeNull()
  // What was typed waits for the next login.
  expect(keptInTab('draft', notary.id)).not.toBeNull()
})

it('names nobody after a logout', () => {
  session.open({ access_token: 'token', expires_in: 900, notary_id: olena.id })
  rememberNotary({ id: olena.id, endsAt: null })
  expect(notaryWithoutServer()).toBe(olena.id)
  rememberNotary({ id: 'somebody-else', endsAt: null })
  expect(notaryWithoutServer()).toBeNull()
  session.close()
  rememberNotary({ id: olena.id, endsAt: null })
  expect(notaryWithoutServer()).toBeNull()
})

it('keeps every cart that the server tells, until the notary leaves', () => {
  session.open({ access_token: 'token', expires_in: 900, notary_id: olena.id })
  const end = keepLastCart(olena.id)
  queryClient.setQueryData(cartQuery().queryKey, cart(cartItem()))
  expect(readLastCart(keptInTab(LAST_CART, olena.id))?.groups).toHaveLength(1)
  queryClient.setQueryData(cartQuery().queryKey, cart())
  expect(readLastCart(keptInTab(LAST_CART, olena.id))?.groups).toEqual([])
  session.close()
  expect(keptInTab(LAST_CART, olena.id)).toBeNull()
  // An answer that comes while the notary leaves.
  queryClient.setQueryData(cartQuery().queryKey, cart(cartItem()))
  expect(keptInTab(LAST_CART, olena.id)).toBeNull()
  end()
  expect(localStorage.getItem('cabinet.notary')).toBeNull()
})

it('keeps nothing of a cart that it cannot read, and leaves the page around it alone', () => {
  session.open({ access_token: 'token', expires_in: 900, notary_id: olena.id })
  queryClient.setQueryData(cartQuery().queryKey, cart(cartItem()))
  keepLastCart(olena.id)()
  queryClient.setQueryData(cartQuery().queryKey, {} as Cart)
  const end = keepLastCart(olena.id)
  expect(keptInTab(LAST_CART, olena.id)).toBeNull()
  queryClient.setQueryData(cartQuery().queryKey, cart(cartItem()))
  expect(readLastCart(keptInTab(LAST_CART, olena.id))?.groups).toHaveLength(1)
  end()
})

it('follows the end of the session, and keeps no code and no account', () => {
  const opened = { access_token: 'token', expires_in: 900, notary_id: olena.id }
  session.open({ ...opened, session_expires_at: '2099-01-01T00:00:00Z' })
  const end = keepLastCart(olena.id)
  queryClient.setQueryData(cartQuery().queryKey, cart(cartItem()))
  const text = sessionStorage.getItem('cabinet.last-cart')
  expect(text).toContain(koval.full_name)
  expect(text).not.toContain(koval.inn)
  expect(text).not.toContain('UA')
  session.open({ ...opened, session_expires_at: '2000-01-01T00:00:00Z' })
  expect(notaryWithoutServer()).toBeNull()
  session.expire()
  expect(keptInTab(LAST_CART, olena.id)).toBeNull()
  end()
})

it('reads nothing of a damaged value', () => {
  for (const stored of [null, 5, {}, { at: 'x', groups: [] }, { at: 1, groups: [{}] }])
    expect(readLastCart(stored)).toBeNull()
})
