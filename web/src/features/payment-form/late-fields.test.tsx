import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'

import { renderRoute } from '@/testing/render-route'
import { cart } from '@/testing/samples'
import { answer, startServer } from '@/testing/server'

const loads = vi.fn<() => void>()

vi.mock('./requisites/part', () => {
  loads()
  throw new Error('Failed to fetch dynamically imported module')
})

startServer()

test('the button waits while the fields of the kind have not come', async () => {
  answer('get', '/api/payment-types', {
    payment_types: [
      { id: 'admin', slug: 'admin_payment' },
      { id: 'requisites', slug: 'requisites_payment' },
    ],
  })
  answer('get', '/api/payment-types/requisites/templates', {
    requisites_templates: [],
    payment_codes: ['101'],
  })
  answer('get', '/api/cart/client/last', { client: null })
  answer('get', '/api/cart', cart())
  const { user } = await renderRoute('/')
  const add = await screen.findByRole('button', { name: 'Додати до кошика' })
  expect(add).not.toHaveAttribute('aria-busy', 'true')
  await user.click(screen.getByRole('radio', { name: 'Платіж за реквізитами' }))
  await waitFor(() => expect(loads).toHaveBeenCalled())
  expect(add).toHaveAttribute('aria-busy', 'true')
})
