import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { reloadForNewParts } from '@/lib/reload-for-new-parts'
import { renderRoute } from '@/testing/render-route'
import { cart } from '@/testing/samples'
import { answer, startServer } from '@/testing/server'

const loads = vi.fn<() => void>()

vi.mock('@/lib/reload-for-new-parts', () => ({
  reloadForNewParts: vi.fn<() => Promise<void>>(() => Promise.resolve()),
}))
vi.mock('./later-parts', () => {
  loads()
  throw new Error('Failed to fetch dynamically imported module')
})

startServer()

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
})
afterEach(() => {
  vi.useRealTimers()
})

test('parts of the frame that do not load reload the page only once somebody waits for the menu', async () => {
  answer('get', '/api/cart', cart())
  const { user } = await renderRoute('/cart')
  await screen.findByText('Кошик порожній')
  await vi.advanceTimersByTimeAsync(40_000)
  expect(loads).toHaveBeenCalled()
  expect(reloadForNewParts).not.toHaveBeenCalled()
  await user.click(screen.getByRole('button', { name: 'Меню' }))
  await vi.advanceTimersByTimeAsync(11_000)
  await waitFor(() => expect(reloadForNewParts).toHaveBeenCalledOnce())
})
