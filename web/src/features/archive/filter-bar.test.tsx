import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'

import { renderRoute } from '@/testing/render-route'
import { order } from '@/testing/samples'
import { answer, startServer } from '@/testing/server'

startServer()

it.each([
  ['/archive?open=paid', false],
  ['/archive?open=paid&status=paid', true],
])('offers to reset filters only where there are some: %s', async (address, isOffered) => {
  answer('get', '/api/order', { orders: [order({ id: 'paid', number: '100046' })], next: null })
  await renderRoute(address)
  await screen.findByRole('table', { name: 'Платежі замовлення № 100046' })
  expect(screen.queryAllByRole('button', { name: 'Скинути фільтри' })).toHaveLength(isOffered ? 1 : 0)
})
