import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { renderRoute } from '@/testing/render-route'
import { cart } from '@/testing/samples'
import { answer, startServer } from '@/testing/server'

const loads = vi.fn<() => void>()
const unhandled = vi.fn<(reason: unknown) => void>()

vi.mock('./leaving', () => {
  loads()
  throw new Error('Failed to fetch dynamically imported module')
})

startServer()

beforeEach(() => void process.on('unhandledRejection', unhandled))
afterEach(() => void process.off('unhandledRejection', unhandled))

test('a logout that cannot be loaded beforehand leaves the page as it is', async () => {
  answer('get', '/api/cart', cart())
  await renderRoute('/cart')
  await screen.findByText('Кошик порожній')
  await waitFor(() => expect(loads).toHaveBeenCalled())
  // Node tells of an unhandled rejection before it comes to the next timer.
  await new Promise((resolve) => setTimeout(resolve))
  expect(unhandled).not.toHaveBeenCalled()
  expect(screen.getByRole('button', { name: 'Вийти' })).toBeEnabled()
})
