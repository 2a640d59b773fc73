import { screen, waitFor } from '@testing-library/react'
import { expect, it, onTestFinished } from 'vitest'
import { arrivingClient } from '@/lib/arriving-client'
import { renderRoute } from '@/testing/render-route'
import { koval } from '@/testing/samples'
import { answer, callsOf, refuse, startServer } from '@/testing/server'
import { makeRouter } from './router'

startServer()

function answerForm(): void {
  answer('get', '/api/payment-types', { payment_types: [{ id: 'requisites', slug: 'requisites_payment' }] })
  answer('get', '/api/payment-types/requisites/templates', { requisites_templates: [], payment_codes: [] })
  answer('get', '/api/cart/client/last', { client: null })
}

it('what the payment form does not know opens it empty, and the address is clean', async () => {
  answerForm()
  const { address } = await renderRoute('/?unknown=1')
  expect(await screen.findByLabelText('Прізвище, ім’я, по батькові клієнта')).toHaveValue('')
  await waitFor(() => expect(address()).toBe('/'))
})

/** Sets the address of the browser, and makes a router for it. */
function arrive(path: string) {
  window.history.replaceState({ key: 'of-the-entry' }, '', path)
  onTestFinished(() => window.history.replaceState(null, '', '/'))
  makeRouter()
  const { pathname, search, hash } = window.location
  return `${pathname}${search}${hash}`
}

const named = encodeURIComponent(JSON.stringify({ inn: koval.inn, full_name: koval.full_name }))

it('a client has left the address and its entry before anything is asked for, and waits for the form', async () => {
  expect(arrive(`/?client=${named}&repeat_item_id=item-1#sum`)).toBe('/?repeat_item_id=item-1#sum')
  expect(window.history.state).toEqual({ key: 'of-the-entry' })
  answerForm()
  await renderRoute('/')
  expect(await screen.findByLabelText('Прізвище, ім’я, по батькові клієнта')).toHaveValue(koval.full_name)
  expect(screen.getByLabelText('Код клієнта')).toHaveValue(koval.inn)
  expect(arrivingClient()).toBeNull()
})

it.each(['/?client=5', '/?client=%7Bbad', '/?client=null', '/?client=a&client=b'])(
  '%s names nobody, and the address is clean',
  (path) => {
    expect(arrive(path)).toBe('/')
    expect(arrivingClient()).toBeNull()
  },
)

it('a client leaves an address that is not the form’s, too, and waits for nothing', () => {
  expect(arrive(`/archive?client=${named}&status=paid`)).toBe('/archive?status=paid')
  expect(arrivingClient()).toBeNull()
})

it('what is no status and no day of the archive is left out, the rest holds', async () => {
  answer('get', '/api/order', { orders: [], next: null })
  const { address } = await renderRoute('/archive?status=bogus&from=2026-02-30&to=2026-11-30')
  expect(await screen.findByText('За цими фільтрами нічого не знайдено')).toBeVisible()
  expect(callsOf('/api/order').map(({ query }) => query)).toEqual([{ limit: '20', to: '2026-11-30' }])
  expect(address()).toBe('/archive?to=2026-11-30')
})

it('the title of a page that is not there says so, and calls nothing paid', async () => {
  refuse('get', '/api/order/{id}/details', 404, { message: 'order_not_found' })
  await renderRoute('/order/nobody')
  await waitFor(() => expect(document.title).toBe('Такої сторінки немає – Notary dashboard'))
})

it('an address that leads nowhere is named so, too', async () => {
  await renderRoute('/nowhere')
  await waitFor(() => expect(document.title).toBe('Такої сторінки немає – Notary dashboard'))
})
