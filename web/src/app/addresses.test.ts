import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderRoute } from '@/testing/render-route'
import { answer, callsOf, refuse, startServer } from '@/testing/server'

startServer()

function answerForm(): void {
  answer('get', '/api/payment-types', { payment_types: [{ id: 'requisites', slug: 'requisites_payment' }] })
  answer('get', '/api/payment-types/requisites/templates', { requisites_templates: [] })
  answer('get', '/api/cart/client/last', { client: null })
}

it.each(['/?client=5', '/?client=%7Bbad', '/?client=null', '/?unknown=1'])(
  '%s opens an empty form, and the address is clean',
  async (path) => {
    answerForm()
    const { address } = await renderRoute(path)
    expect(await screen.findByLabelText('Прізвище, ім’я, по батькові клієнта')).toHaveValue('')
    await waitFor(() => expect(address()).toBe('/'))
  },
)

it('what is no status and no day of the archive is left out, the rest holds', async () => {
  answer('get', '/api/order', { orders: [], next: null })
  const { address } = await renderRoute('/archive?status=bogus&from=2026-02-30&to=2026-11-30')
  expect(await screen.findByText('За цими умовами нічого немає')).toBeVisible()
  expect(callsOf('/api/order').map(({ query }) => query)).toEqual([{ limit: '20', to: '2026-11-30' }])
  expect(address()).toBe('/archive?to=2026-11-30')
})

it('the title of a page that is not there says so, and calls nothing paid', async () => {
  refuse('get', '/api/order/{id}', 404, { message: 'order_not_found' })
  await renderRoute('/order/nobody/success')
  await waitFor(() => expect(document.title).toBe('Такої сторінки немає – Notary dashboard'))
})

it('an address that leads nowhere is named so, too', async () => {
  await renderRoute('/nowhere')
  await waitFor(() => expect(document.title).toBe('Такої сторінки немає – Notary dashboard'))
})
