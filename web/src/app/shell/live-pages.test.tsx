import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Subscription } from '@/api/realtime'
import { session } from '@/api/session'
import { beginOwnPayment } from '@/lib/own-payments'
import { renderRoute } from '@/testing/render-route'
import { cart, cartItem, koval, olena, openedLink, order, orderItem, waitingOrder } from '@/testing/samples'
import { answer, callsOf, refuse, startServer } from '@/testing/server'

/** The options of the subscriptions of the pages. */
let heard: Subscription | null = null

vi.mock('@/api/realtime', () => ({
  subscribe: (subscription: Subscription) => {
    heard = subscription
    return Promise.resolve()
  },
}))

startServer()

const pending = order({ status: 'pending', items: [orderItem({ status: 'pending' })] })

beforeEach(() => {
  heard = null
  vi.useFakeTimers({ shouldAdvanceTime: true })
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  session.close()
})

const publish = (data: unknown) => act(() => heard?.onPublication(data))
const silence = () => act(() => heard?.onSilence())
const close = () => act(() => heard?.onClosed?.())
const hear = (missed: boolean) => act(() => heard?.onHeard?.(missed))
const letPass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds))

/** Opens a page and waits until it has subscribed. */
async function open(path: string, surroundings: Parameters<typeof renderRoute>[1] = {}) {
  const rendered = await renderRoute(path, surroundings)
  await waitFor(() => expect(heard).not.toBeNull())
  return rendered
}

async function openArchive() {
  answer('get', '/api/order', { orders: [pending], next: null })
  await open('/archive')
  await screen.findByRole('region', { name: /^Замовлення № / })
}

describe('a realtime message while a page is open', () => {
  it('comes from the channel of the notary, and nobody else’s', async () => {
    await openArchive()
    expect(heard?.channel).toBe(`notary:${olena.id}`)
  })

  it('changes the row of the archive without a reload', async () => {
    await openArchive()
    answer('get', '/api/order/{id}', { order: order() })
    await publish({ order: { id: 'order-1', status: 'paid' } })
    expect(await screen.findAllByText('Сплачено')).not.toHaveLength(0)
    expect(callsOf('/api/order')).toHaveLength(1)
  })

  it('leads a page of an order to where the order is', async () => {
    answer('get', '/api/order/{id}', { order: order() })
    const { address } = await open('/order/order-1/success')
    await screen.findByText('Замовлення № 100042')
    answer('get', '/api/order/{id}', { order: order({ status: 'refunded' }) })
    await publish({ order: { id: 'order-1', status: 'refunded' } })
    expect(await screen.findByRole('heading', { name: 'Кошти повернено' })).toBeVisible()
    expect(address()).toBe('/order/order-1/error')
  })

  it('that never comes because the session was ended elsewhere leads to the login at once', async () => {
    await openArchive()
    refuse('post', '/api/auth/refresh', 401, { message: 'session_expired' })
    refuse('get', '/api/cart/items/count', 401, { message: 'session_expired' })
    refuse('get', '/api/order', 401, { message: 'session_expired' })
    await close()
    await waitFor(() => expect(session.state.status).not.toBe('signed-in'))
  })

  it('changes the number in the cart', async () => {
    await openArchive()
    await publish({ cart: { version: 2, items_count: 3 } })
    expect(await screen.findByRole('link', { name: 'Кошик: 3 платежі' })).toBeVisible()
  })
})

const paid = (id: string) => ({ order: { id, status: 'paid', payment_state: 'paid' } })
const told = (number: string) => screen.queryByText(`Замовлення № ${number} оплачено: ${koval.full_name}`)

/** Opens the cart with waiting orders, and hears that they are paid. Each test has orders of its own: each is told once. */
async function hearPaid(...ids: string[]) {
  answer('get', '/api/cart', cart())
  answer('get', '/api/order/{id}', ({ params }) => ({ order: order({ id: String(params['id']) }) }))
  const unfinished = ids.map((id) => ({ ...waitingOrder, id, number: id }))
  const page = await open('/cart', { unfinished })
  await act(() => ids.forEach((id) => heard?.onPublication(paid(id))))
  return page
}

describe('an order that its client has paid by a link', () => {
  it('is told once, with a way to it, and no more once the session has ended', async () => {
    answer('get', '/api/order/{id}/client-link', openedLink)
    const { user, address } = await hearPaid('order-7', 'order-8')
    await waitFor(() => expect(told('order-8')).toBeVisible())
    await publish(paid('order-7'))
    expect(screen.getAllByText(/^Замовлення № .* оплачено/u)).toHaveLength(2)
    // Which of both is told first depends on their answers.
    const toast = told('order-7')?.parentElement as HTMLElement
    await user.click(within(toast).getByRole('button', { name: 'Відкрити' }))
    await waitFor(() => expect(address()).toBe('/order/order-7'))
    act(() => session.close())
    await waitFor(() => expect(screen.queryByText(/^Замовлення № .* оплачено/u)).toBeNull())
  })

  it('is not told of what the notary pays herself, of codes that she marked, or of a link that nobody opened', async () => {
    answer('get', '/api/order/{id}/client-link', ({ params }) => ({
      ...openedLink,
      ...(params['id'] === 'order-10' && { opened_at: null }),
      ...(params['id'] === 'order-11' && { state: 'withdrawn' }),
    }))
    beginOwnPayment('order-9')
    await hearPaid('order-9', 'order-10', 'order-11', 'order-13')
    await waitFor(() => expect(told('order-13')).toBeVisible())
    expect(screen.getAllByText(/^Замовлення № .* оплачено/u)).toHaveLength(1)
    // An order that was not known to wait was told before, or is not hers.
    await publish(paid('order-14'))
    await letPass(1_000)
    expect(callsOf('/api/order/{id}/client-link').map(({ params }) => params['id'])).not.toContain('order-14')
  })

  it('is told when a hidden tab is looked at', async () => {
    answer('get', '/api/order/{id}/client-link', openedLink)
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    await hearPaid('order-15')
    await letPass(60_000)
    // What is told is read when somebody can see it: the order may have been given back by then.
    expect(callsOf('/api/order/{id}/client-link')).toEqual([])
    visibility.mockReturnValue('visible')
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
    await waitFor(() => expect(told('order-15')).toBeVisible())
  })
})

describe('a cart over which something is being typed', () => {
  it('stays as it is until then, and is read when the dialog is closed', async () => {
    answer('get', '/api/cart', cart(cartItem()))
    const { user } = await open('/cart')
    await user.click(await screen.findByRole('button', { name: /^Повідомити про помилку/u }))
    await user.type(await screen.findByLabelText('Опишіть помилку'), 'Не той отримувач')
    answer('get', '/api/cart', cart())
    await publish({ cart: { version: 2, items_count: 0 } })
    await letPass(5_000)
    expect(screen.getByLabelText('Опишіть помилку')).toHaveValue('Не той отримувач')
    expect(callsOf('/api/cart')).toHaveLength(1)
    await user.click(screen.getByRole('button', { name: 'Скасувати' }))
    await letPass(1_000)
    expect(await screen.findByText('Кошик порожній')).toBeVisible()
  })
})

describe('while the realtime channel is unavailable', () => {
  it('the archive and the number in the cart are asked for now and then', async () => {
    await openArchive()
    await silence()
    answer('get', '/api/order', { orders: [order()], next: null })
    answer('get', '/api/cart/items/count', { items_count: 5 })
    await letPass(19_000)
    expect(callsOf('/api/order')).toHaveLength(1)
    await letPass(1_500)
    expect(await screen.findByRole('link', { name: 'Кошик: 5 платежів' })).toBeVisible()
    expect(await screen.findAllByText('Сплачено')).not.toHaveLength(0)
    await letPass(20_000)
    expect(callsOf('/api/order')).toHaveLength(3)
  })

  it('an open cart is read anew, also where its number stays, and one that is not open is left alone', async () => {
    answer('get', '/api/cart', cart(cartItem()))
    answer('get', '/api/cart/items/count', { items_count: 1 })
    const { go } = await open('/cart')
    await screen.findByRole('table')
    await silence()
    answer('get', '/api/cart', cart(cartItem({ count: 3, sum_total: 1050 })))
    await letPass(20_500)
    expect(await screen.findByRole('button', { name: /^Сплатити 1\s050,00\sгрн/u })).toBeVisible()
    const asked = callsOf('/api/cart').length
    answer('get', '/api/order', { orders: [pending], next: null })
    await go('/archive')
    await screen.findByRole('heading', { name: 'Архів' })
    await letPass(20_500)
    expect(callsOf('/api/cart')).toHaveLength(asked)
  })

  it('a cart over which something is being typed is left alone until then', async () => {
    answer('get', '/api/cart', cart(cartItem()))
    const { user } = await open('/cart')
    await user.click(await screen.findByRole('button', { name: /^Повідомити про помилку/u }))
    await user.type(await screen.findByLabelText('Опишіть помилку'), 'Не той отримувач')
    await silence()
    answer('get', '/api/cart', cart())
    await letPass(20_500)
    expect(screen.getByLabelText('Опишіть помилку')).toHaveValue('Не той отримувач')
    await user.click(screen.getByRole('button', { name: 'Скасувати' }))
    await letPass(20_500)
    expect(await screen.findByText('Кошик порожній')).toBeVisible()
  })

  it('a hidden tab does not poll, and polls at once when it is shown', async () => {
    await openArchive()
    const seen = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    await silence()
    await letPass(60_000)
    expect(callsOf('/api/order')).toHaveLength(1)
    seen.mockReturnValue('visible')
    answer('get', '/api/order', { orders: [order()], next: null })
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
    expect(await screen.findAllByText('Сплачено')).not.toHaveLength(0)
  })

  it('a page of an order is asked for, too', async () => {
    answer('get', '/api/order/{id}', { order: order() })
    await open('/order/order-1/success')
    await screen.findByText('Замовлення № 100042')
    await silence()
    answer('get', '/api/order/{id}', { order: order({ status: 'refunded' }) })
    await letPass(20_500)
    expect(await screen.findByRole('heading', { name: 'Кошти повернено' })).toBeVisible()
  })

  it('and there is no connection at all, nothing is asked', async () => {
    await openArchive()
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    await silence()
    await letPass(60_000)
    expect(callsOf('/api/order')).toHaveLength(1)
  })

  it('everything is read once more when the channel is available again, and polling is rare then', async () => {
    await openArchive()
    await silence()
    await letPass(5_000)
    await hear(false)
    await waitFor(() => expect(callsOf('/api/order')).toHaveLength(2))
    await letPass(110_000)
    expect(callsOf('/api/order')).toHaveLength(2)
    await letPass(11_000)
    expect(callsOf('/api/order')).toHaveLength(3)
  })
})

it('what changed before the first subscription is read once', async () => {
  await openArchive()
  answer('get', '/api/order', { orders: [order()], next: null })
  await hear(false)
  expect(await screen.findAllByText('Сплачено')).not.toHaveLength(0)
  await hear(false)
  await letPass(1_000)
  expect(callsOf('/api/order')).toHaveLength(2)
})

it('missed messages are made up for although the channel seemed available', async () => {
  await openArchive()
  await hear(false)
  await waitFor(() => expect(callsOf('/api/order')).toHaveLength(2))
  await hear(true)
  await waitFor(() => expect(callsOf('/api/order')).toHaveLength(3))
})

it('a tab that was hidden when messages were missed reads again when it is shown', async () => {
  await openArchive()
  await hear(false)
  await waitFor(() => expect(callsOf('/api/order')).toHaveLength(2))
  const seen = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  await hear(true)
  await letPass(1_000)
  expect(callsOf('/api/order')).toHaveLength(2)
  seen.mockReturnValue('visible')
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
  await waitFor(() => expect(callsOf('/api/order')).toHaveLength(3))
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
  await letPass(1_000)
  expect(callsOf('/api/order')).toHaveLength(3)
})

it('after leaving the page neither listens nor polls', async () => {
  await openArchive()
  await silence()
  act(() => session.close())
  await screen.findByLabelText('Номер телефону')
  expect(heard?.signal.aborted).toBe(true)
  await letPass(60_000)
  expect(callsOf('/api/order')).toHaveLength(1)
})
