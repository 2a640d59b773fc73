import { waitFor } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'

import { openedLink, order, waitingOrder } from '@/testing/samples'
import { answer, refuse, startServer } from '@/testing/server'

const { showToast } = vi.hoisted(() => ({ showToast: vi.fn<() => void>() }))
vi.mock('@/ui/toast', () => ({ showToast }))

startServer()

const held = new Set<string>()

/** What browsers do for `ifAvailable`, between all tabs. jsdom has no locks. */
async function request(name: string, _: LockOptions, run: (lock: unknown) => Promise<void>): Promise<void> {
  await Promise.resolve()
  if (held.has(name)) return run(null)
  held.add(name)
  try {
    await run({ name })
  } finally {
    held.delete(name)
  }
}

beforeEach(() => {
  held.clear()
  Object.defineProperty(navigator, 'locks', { value: { request }, configurable: true })
  answer('get', '/api/order/{id}/client-link', openedLink)
  answer('get', '/api/order/{id}', { order: order() })
})

/** The modules as another tab of the same browser has them. */
async function openTab() {
  vi.resetModules()
  const { switchLocale } = await import('@/i18n/i18n')
  await switchLocale('uk')
  const { tellPaidByClient } = await import('./paid-by-client')
  const { beginOwnPayment, isOwnPayment } = await import('@/lib/own-payments')
  return {
    beginOwnPayment,
    isOwnPayment,
    /** Ends once the tab has told it, or won't. */
    tell: () => tellPaidByClient(waitingOrder, vi.fn<() => void>(), new AbortController().signal),
  }
}

it('windows that are looked at side by side tell a payment once', async () => {
  const tabs = [await openTab(), await openTab(), await openTab()]
  await Promise.all(tabs.map(({ tell }) => tell()))
  expect(showToast).toHaveBeenCalledTimes(1)
  // A tab that was hidden, and is looked at later.
  await (await openTab()).tell()
  expect(showToast).toHaveBeenCalledTimes(1)
})

it('a tab that could not read the order leaves it to another', async () => {
  refuse('get', '/api/order/{id}', 500, { message: 'internal_error' })
  await expect((await openTab()).tell()).rejects.toMatchObject({ key: 'internal_error' })
  answer('get', '/api/order/{id}', { order: order() })
  await (await openTab()).tell()
  expect(showToast).toHaveBeenCalledTimes(1)
})

it('an order that was given back before anybody looked is not told as paid', async () => {
  answer('get', '/api/order/{id}', { order: order({ status: 'refunded' }) })
  await (await openTab()).tell()
  expect(showToast).not.toHaveBeenCalled()
})

it('what one tab begins to pay no other tab takes for a payment of the client', async () => {
  const [paying, other] = [await openTab(), await openTab()]
  expect(other.isOwnPayment(waitingOrder.id)).toBe(false)
  paying.beginOwnPayment(waitingOrder.id)
  await waitFor(() => expect(other.isOwnPayment(waitingOrder.id)).toBe(true))
  await other.tell()
  expect(showToast).not.toHaveBeenCalled()
})
