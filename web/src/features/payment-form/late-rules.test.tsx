import { screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'

import { renderRoute } from '@/testing/render-route'
import { cart, olena } from '@/testing/samples'
import { answer, startServer } from '@/testing/server'

import { EMPTY_PAYMENT } from './values'

const arrival = vi.hoisted(() => Promise.withResolvers<void>())

vi.mock('./requisites/part', async (original) => {
  await arrival.promise
  return original<object>()
})

startServer()

test('a kept sum is reckoned as soon as what reads it has come', async () => {
  answer('get', '/api/payment-types', {
    payment_types: [{ id: 'requisites', slug: 'requisites_payment' }],
  })
  answer('get', '/api/payment-types/requisites/templates', { requisites_templates: [], payment_codes: [] })
  answer('get', '/api/cart/client/last', { client: null })
  answer('get', '/api/book/recipients', { recipients: [] })
  answer('get', '/api/cart', cart())
  const values = { ...EMPTY_PAYMENT, paymentTypeId: 'requisites', purpose: 'Мито', amount: '1 340,50' }
  sessionStorage.setItem(
    'cabinet.draft',
    JSON.stringify({ notaryId: olena.id, typed: { values, wish: null } }),
  )
  await renderRoute('/')
  const heading = await screen.findByRole('heading', { name: 'Разом до сплати' })
  const panel = within(heading.closest('section') as HTMLElement)
  expect(panel.queryByText('Сума платежу')).toBeNull()
  arrival.resolve()
  expect(await panel.findByText('Сума платежу')).toBeVisible()
  expect(heading.closest('section')).toHaveTextContent('1 340,50')
})
