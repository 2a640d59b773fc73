import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'

import { messageText } from '@/i18n/message-texts'
import { openRow } from '@/testing/open-row'
import { renderRoute } from '@/testing/render-route'
import { order } from '@/testing/samples'
import { answer, callsOf, lose, refuse, startServer } from '@/testing/server'

startServer()

afterEach(() => sessionStorage.clear())

const REPEAT = '/api/order/{id}/repeat'
const BUTTON = 'Повторити все замовлення'
const UNKNOWN = 'Чи додано платежі до кошика, ще невідомо'

/** An order that was cancelled without its payments going back to the cart. */
const cancelled = {
  status: 'expired',
  payment_state: 'expired',
  failure: 'order_cancelled',
  cancelled_at: '2026-11-20T09:12:33Z',
} as const

const keys = () => callsOf(REPEAT).map(({ headers }) => headers.get('Idempotency-Key'))

/** Opens the archive anew and presses the button. */
async function press() {
  const { user } = await renderRoute('/archive')
  await openRow('/archive')
  await user.click(await screen.findByRole('button', { name: BUTTON }))
}

describe('an order that is repeated as a whole', () => {
  it('is in the cart after one press, and a press without an answer is repeated with its key', async () => {
    answer('get', '/api/order', { orders: [order()], next: null })
    refuse('post', REPEAT, 500, { message: 'internal_error' })
    const { user } = await renderRoute('/archive')
    await openRow('/archive')
    const button = await screen.findByRole('button', { name: BUTTON })
    await user.click(button)
    expect(await screen.findByText(UNKNOWN)).toBeVisible()
    expect(screen.queryByText('До кошика нічого не додано')).toBeNull()
    answer('post', REPEAT, { items_count: 5, added: 3 })
    await user.click(button)
    expect(await screen.findByText('До кошика додано 3 платежі')).toBeVisible()
    expect(screen.queryByText(UNKNOWN)).toBeNull()
    expect(screen.getByRole('link', { name: 'До кошика' })).toHaveAttribute('href', '/cart')
    await user.click(button)
    await waitFor(() => expect(callsOf(REPEAT)).toHaveLength(3))
    const [first, second, third] = keys()
    expect(first).toBe(second)
    expect(third).not.toBe(first)
  })

  it('names each payment that can’t be made today', async () => {
    const shown = order()
    answer('get', '/api/order', { orders: [shown], next: null })
    refuse('post', REPEAT, 409, {
      message: 'order_not_repeatable',
      errors: { [`items.${shown.items[0]?.id}`]: ['fee_not_in_force'] },
    })
    const { user } = await renderRoute('/archive')
    await openRow('/archive')
    await user.click(await screen.findByRole('button', { name: BUTTON }))
    expect(await screen.findByText(messageText('order_not_repeatable'))).toBeVisible()
    expect(screen.getByText(new RegExp(messageText('fee_not_in_force'), 'u'))).toBeVisible()
  })

  it('has the key of a press without an answer after a reload, too', async () => {
    answer('get', '/api/order', { orders: [order()], next: null })
    answer('post', REPEAT, { items_count: 5, added: 3 })
    lose('post', REPEAT, 1)
    await press()
    expect(await screen.findByText(UNKNOWN)).toBeVisible()
    // Whether they are in the cart is read from the server.
    await waitFor(() => expect(callsOf('/api/cart/items/count').length).toBeGreaterThan(1))

    // The next press does not reach the server's answer either: the first one is as unknown as before.
    cleanup()
    refuse('post', REPEAT, 429, { message: 'too_many_requests' }, { once: true })
    await press()
    expect(await screen.findByText(UNKNOWN)).toBeVisible()

    cleanup()
    await press()
    expect(await screen.findByText('До кошика додано 3 платежі')).toBeVisible()
    expect(keys()).toHaveLength(3)
    expect(new Set(keys()).size).toBe(1)
    expect(Object.keys(sessionStorage).filter((name) => name.includes('repeat'))).toEqual([])
  })

  it('adds nothing where the first press is refused, even by a limit', async () => {
    answer('get', '/api/order', { orders: [order()], next: null })
    refuse('post', REPEAT, 429, { message: 'too_many_requests' })
    const { user } = await renderRoute('/archive')
    await openRow('/archive')
    await user.click(await screen.findByRole('button', { name: BUTTON }))
    expect(await screen.findByText('До кошика нічого не додано')).toBeVisible()
    await user.click(screen.getByRole('button', { name: BUTTON }))
    await waitFor(() => expect(keys()).toHaveLength(2))
    expect(new Set(keys()).size).toBe(2)
  })

  it('asks of a cancelled order first whether somebody paid by its QR codes', async () => {
    const shown = order({ ...cancelled, codes_given_at: '2026-11-20T09:10:00Z' })
    answer('get', '/api/order', { orders: [shown], next: null })
    answer('post', REPEAT, { items_count: 1, added: 1 })
    const { user } = await renderRoute('/archive')
    await openRow('/archive')
    const button = await screen.findByRole('button', {
      name: 'За кодами не сплачено: повторити все замовлення',
    })
    expect(screen.getByText('Можливо, за QR-кодами вже сплачено')).toBeVisible()
    expect(screen.queryByRole('button', { name: BUTTON })).toBeNull()
    await user.click(button)
    expect(await screen.findByText('До кошика додано 1 платіж')).toBeVisible()
    expect(callsOf(REPEAT).map(({ body }) => body)).toEqual([{ despite_codes: true }])
  })

  it('asks after a refusal, where the codes were given in another window', async () => {
    answer('get', '/api/order', { orders: [order(cancelled)], next: null })
    refuse('post', REPEAT, 409, { message: 'payment_codes_given' })
    const { user } = await renderRoute('/archive')
    await openRow('/archive')
    const button = await screen.findByRole('button', { name: BUTTON })
    answer('get', '/api/order/{id}', {
      order: order({ ...cancelled, codes_given_at: '2026-11-20T09:10:00Z' }),
    })
    await user.click(button)
    expect(await screen.findByText('Можливо, за QR-кодами вже сплачено')).toBeVisible()
    expect(callsOf(REPEAT).map(({ body }) => body)).toEqual([{ despite_codes: false }])
  })

  it('asks nothing of a paid order', async () => {
    answer('get', '/api/order', {
      orders: [order({ codes_given_at: '2026-11-20T09:10:00Z' })],
      next: null,
    })
    answer('post', REPEAT, { items_count: 1, added: 1 })
    const { user } = await renderRoute('/archive')
    await openRow('/archive')
    await user.click(await screen.findByRole('button', { name: BUTTON }))
    expect(await screen.findByText('До кошика додано 1 платіж')).toBeVisible()
    expect(screen.queryByText('Можливо, за QR-кодами вже сплачено')).toBeNull()
  })

  it.each([
    ['may still be paid', order({ status: 'pending', payment_state: 'waiting' }), false],
    [
      'has its payments in the cart already',
      order({
        status: 'expired',
        payment_state: 'expired',
        failure: 'order_cancelled',
        cancelled_at: '2026-11-20T09:12:33Z',
        returned_to_cart_at: '2026-11-20T09:12:33Z',
      }),
      false,
    ],
    ['is cancelled', order(cancelled), true],
    ['was given back', order({ status: 'refunded', payment_state: 'refunded' }), true],
  ])('is offered for an order that %s: %s', async (_, shown, offered) => {
    answer('get', '/api/order', { orders: [shown], next: null })
    await renderRoute('/archive')
    await openRow('/archive')
    await screen.findByText('Нотаріальна дія')
    expect(screen.queryByRole('button', { name: BUTTON }) !== null).toBe(offered)
  })
})
