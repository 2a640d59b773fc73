import { act, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { session } from '@/api/session'
import { wait } from '@/lib/wait'
import { gate } from '@/testing/gate'
import { renderRoute } from '@/testing/render-route'
import { order } from '@/testing/samples'
import { answer, callsOf, startServer } from '@/testing/server'

vi.mock('@/lib/wait', { spy: true })

startServer()

beforeEach(() => {
  vi.mocked(wait).mockClear()
})
afterEach(() => {
  vi.useRealTimers()
  session.close()
})

const asked = () => callsOf('/api/order/{id}')

/** Runs everything that waits for no timer. */
async function settle(turns = 50): Promise<void> {
  if (turns === 0) return
  await act(
    () =>
      new Promise<void>((resolve) => {
        setImmediate(resolve)
      }),
  )
  await settle(turns - 1)
}

it('a pending order is looked at once more after five seconds to the millisecond', async () => {
  const first = gate()
  answer('get', '/api/order/{id}', async () => {
    await first.passed
    return { order: order({ status: asked().length === 1 ? 'pending' : 'paid' }) }
  })
  const { address } = await renderRoute('/order/order-1/payment-status')
  await screen.findByRole('heading', { name: 'Перевіряємо оплату…' })
  // Fake timers: time passes only by `advanceTimersByTime`.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  first.open()
  await settle()
  expect(wait).toHaveBeenCalledOnce()

  await act(() => vi.advanceTimersByTimeAsync(4999))
  await settle()
  expect(asked()).toHaveLength(1)
  expect(address()).toBe('/order/order-1/payment-status')

  await act(() => vi.advanceTimersByTimeAsync(1))
  await settle()
  expect(asked()).toHaveLength(2)
  vi.useRealTimers()
  expect(await screen.findByText('Замовлення № 100042')).toBeVisible()
  expect(address()).toBe('/order/order-1/success')
})
