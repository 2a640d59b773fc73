import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'

import { messageText } from '@/i18n/message-texts'
import { openRow } from '@/testing/open-row'
import { renderRoute } from '@/testing/render-route'
import { order } from '@/testing/samples'
import { answer, callsOf, lose, refuse, startServer } from '@/testing/server'

startServer()

const CANCEL = '/api/order/{id}/cancel'
const RETURN = 'Скасувати й повернути платежі до кошика'

const waiting = order({ status: 'pending', payment_state: 'waiting', paid_at: null })
const cancelled = (returned: boolean) =>
  order({
    status: 'expired',
    payment_state: 'expired',
    paid_at: null,
    failure: 'order_cancelled',
    cancelled_at: '2026-11-20T09:12:33Z',
    returned_to_cart_at: returned ? '2026-11-20T09:12:33Z' : null,
  })

/** Opens a page of an order with the part that cancels it. */
async function open(path: string, shown = waiting) {
  answer('get', '/api/order/{id}', { order: shown })
  answer('get', '/api/order', { orders: [shown], next: null })
  const { user } = await renderRoute(path)
  await openRow(path)
  await user.click(await screen.findByText('Скасувати замовлення'))
  return user
}

describe('an order that is cancelled', () => {
  it.each([
    [true, RETURN, /Платежі повернено до кошика/u],
    [false, 'Скасувати, платежів до кошика не повертати', /Платежі лишилися в цьому замовленні/u],
  ])('says in the archive what became of its payments (back in the cart: %s)', async (back, button, text) => {
    const user = await open('/archive')
    const ended = cancelled(back)
    answer('post', CANCEL, { order: ended })
    answer('get', '/api/order/{id}', { order: ended })
    await user.click(screen.getByRole('button', { name: button }))
    expect(await screen.findByText(text)).toBeVisible()
    expect(callsOf(CANCEL)[0]?.body).toEqual({ return_items: back, despite_codes: false })
    expect(screen.getAllByText('Скасовано')[0]).toBeVisible()
    expect(screen.queryByRole('link', { name: 'До кошика' }) !== null).toBe(back)
    expect(screen.queryByRole('button', { name: 'Повторити спробу оплати' })).toBeNull()
    expect(screen.queryByText('Сплатити за QR-кодами')).toBeNull()
    await waitFor(() => expect(screen.getByText(text).closest('[tabindex]')).toHaveFocus())
  })

  it('leads from the pending page to the result that no money was taken', async () => {
    const user = await open('/order/order-1/pending')
    const ended = cancelled(true)
    answer('post', CANCEL, { order: ended })
    answer('get', '/api/order/{id}', { order: ended })
    await user.click(screen.getByRole('button', { name: RETURN }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Замовлення скасовано' })).toBeVisible()
    expect(screen.getByText('Кошти не списано')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Повернутися до оплати' })).toBeNull()
  })
})

describe('an order that is not cancelled', () => {
  it.each([
    [409, 'payment_page_not_closed'],
    [503, 'acquirer_unavailable'],
    [409, 'payment_outcome_unknown'],
  ] as const)('stays as it is and says why: %s %s', async (status, key) => {
    const user = await open('/archive')
    refuse('post', CANCEL, status, { message: key })
    await user.click(screen.getByRole('button', { name: RETURN }))
    expect(await screen.findByText('Замовлення не скасовано')).toBeVisible()
    expect(screen.getByText(messageText(key))).toBeVisible()
    // It was read anew, because it may have been paid meanwhile.
    expect(callsOf('/api/order/{id}').length).toBeGreaterThan(0)
    answer('post', CANCEL, { order: cancelled(true) })
    answer('get', '/api/order/{id}', { order: cancelled(true) })
    await user.click(screen.getByRole('button', { name: RETURN }))
    expect(await screen.findByText(/Платежі повернено до кошика/u)).toBeVisible()
  })

  it.each([
    ['its answer is lost', () => lose('post', CANCEL, 1)],
    ['the server fails', () => refuse('post', CANCEL, 500, { message: 'internal_error' })],
    [
      'a limit refuses a press, which may follow a lost one',
      () => refuse('post', CANCEL, 429, { message: 'too_many_requests' }),
    ],
  ])('is unknown where %s: the worker may cancel it later', async (_, fail) => {
    const user = await open('/archive')
    fail()
    await user.click(screen.getByRole('button', { name: RETURN }))
    expect(await screen.findByText('Чи скасовано замовлення, ще невідомо')).toBeVisible()
    expect(screen.getByText(/Не створюйте цих платежів знову/u)).toBeVisible()
    expect(screen.queryByText('Замовлення не скасовано')).toBeNull()
  })

  it.each([
    ['a card is being charged', order({ status: 'in_progress', payment_state: 'unknown' })],
    ['it is paid', order()],
    [
      'it went back to the cart',
      order({ ...cancelled(true), failure: 'order_returned_to_cart', cancelled_at: null }),
    ],
  ])('can’t be cancelled where %s', async (_, shown) => {
    answer('get', '/api/order', { orders: [shown], next: null })
    await renderRoute('/archive')
    await openRow('/archive')
    await screen.findByText('Нотаріальна дія')
    expect(screen.queryByText('Скасувати замовлення')).toBeNull()
  })

  it('asks whether somebody paid by the QR codes before its payments go back', async () => {
    const user = await open('/archive', { ...waiting, codes_given_at: '2026-11-20T09:12:33Z' })
    expect(screen.getByText(/Тоді не повертайте платежів/u)).toBeVisible()
    answer('post', CANCEL, { order: cancelled(true) })
    await user.click(screen.getByRole('button', { name: /За кодами не сплачено/u }))
    await waitFor(() => expect(callsOf(CANCEL)).toHaveLength(1))
    expect(callsOf(CANCEL)[0]?.body).toEqual({ return_items: true, despite_codes: true })
  })
})
