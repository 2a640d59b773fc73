import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'

import { messageText } from '@/i18n/message-texts'
import { openRow } from '@/testing/open-row'
import { renderRoute } from '@/testing/render-route'
import { cart, order } from '@/testing/samples'
import { answer, callsOf, refuse, startServer } from '@/testing/server'

startServer()

const PAID = '/api/order/{id}/codes/paid'
const UNDO = '/api/order/{id}/codes/paid/undo'
const CREDIT_UNDO = '/api/order/{id}/codes/credit/undo'
const REFERENCE = '97ED4827-7B6F-4491-A06F-B548D5A7512D'

const given = order({
  status: 'expired',
  payment_state: 'expired',
  paid_at: null,
  paid_by: null,
  pan: null,
  codes_given_at: '2026-11-20T09:12:33Z',
})
const payment = { marked_at: '2026-11-20T10:00:00Z', reference: REFERENCE, amount: 330, credits: [] }
const marked = order({
  paid_by: 'codes',
  pan: null,
  codes_given_at: given.codes_given_at,
  codes_payment: payment,
})

/** Opens the archive with an order whose row is open. */
async function open(shown = given) {
  answer('get', '/api/order/{id}', { order: shown })
  answer('get', '/api/order', { orders: [shown], next: null })
  const { user } = await renderRoute('/archive')
  await openRow('/archive')
  return user
}

describe('an order whose QR codes were given out', () => {
  it('is marked as paid with the reference, says so, and is undone by one press', async () => {
    const user = await open()
    await user.click(await screen.findByText('Позначити сплату за QR-кодами'))
    await user.type(screen.getByLabelText(/^UETR або референс/u), REFERENCE)
    answer('post', PAID, { order: marked })
    answer('get', '/api/order/{id}', { order: marked })
    await user.click(screen.getByRole('button', { name: 'Сплачено за QR-кодами' }))
    const title = await screen.findByText('Сплачено за QR-кодами, без комісії')
    expect(callsOf(PAID)[0]?.body).toEqual({ reference: REFERENCE })
    expect(screen.getByText(REFERENCE)).toBeVisible()
    expect(screen.getAllByText('Сплачено за QR-кодами')[0]).toBeVisible()
    expect(screen.queryByText('Сплатити за QR-кодами')).toBeNull()
    await waitFor(() => expect(title.closest('[tabindex]')).toHaveFocus())
    answer('post', UNDO, { order: given })
    answer('get', '/api/order/{id}', { order: given })
    const [undo] = screen.getAllByRole('button', { name: 'Скасувати позначку' })
    if (undo === undefined) throw new Error('no button')
    await user.click(undo)
    const again = await screen.findByText('Позначити сплату за QR-кодами')
    expect(again).toBeVisible()
    await waitFor(() => expect(again.closest('[tabindex]')).toHaveFocus())
    expect(screen.getByText('Позначку скасовано')).toBeInTheDocument()
    expect(callsOf(UNDO)).toHaveLength(1)
  })

  it('says that the mark was not taken back where the part that would say it is gone', async () => {
    answer('get', '/api/order/{id}', { order: given })
    answer('get', '/api/order', { orders: [given], next: null })
    const { user, go } = await renderRoute('/archive')
    await openRow('/archive')
    await user.click(await screen.findByText('Позначити сплату за QR-кодами'))
    answer('post', PAID, { order: marked })
    answer('get', '/api/order/{id}', { order: marked })
    await user.click(screen.getByRole('button', { name: 'Сплачено за QR-кодами' }))
    const toast = (await screen.findByText('Позначено: сплачено за QR-кодами')).parentElement
    answer('get', '/api/cart', cart())
    await go('/cart')
    refuse('post', UNDO, 409, { message: 'order_under_review' })
    await user.click(within(toast!).getByRole('button', { name: 'Скасувати позначку' }))
    expect(await screen.findByText(/^Позначку не скасовано\. /u)).toHaveTextContent(
      messageText('order_under_review'),
    )
  })

  it.each(['payment_outcome_unknown', 'payment_page_not_closed', 'order_under_review'] as const)(
    'keeps what was typed and says why it is not marked: %s',
    async (key) => {
      const user = await open()
      await user.click(await screen.findByText('Позначити сплату за QR-кодами'))
      await user.type(screen.getByLabelText(/^UETR або референс/u), REFERENCE)
      refuse('post', PAID, 409, { message: key })
      await user.click(screen.getByRole('button', { name: 'Сплачено за QR-кодами' }))
      expect(await screen.findByText('Не позначено')).toBeVisible()
      expect(screen.getByText(messageText(key))).toBeVisible()
      expect(screen.getByLabelText(/^UETR або референс/u)).toHaveValue(REFERENCE)
    },
  )
})

describe('a marked order of which the notary’s statement told her part', () => {
  it('says the day and undoes it by one press', async () => {
    const credits = [{ item_id: 'item-1', on: '2026-11-20', amount: 198 }]
    const user = await open({ ...marked, codes_payment: { ...payment, credits } })
    const term = await screen.findByText('Зараховано за випискою')
    expect(term.parentElement).toHaveTextContent(/20\.11\.2026, 198,00/u)
    answer('post', CREDIT_UNDO, { order: marked })
    answer('get', '/api/order/{id}', { order: marked })
    await user.click(screen.getByRole('button', { name: 'Скасувати зарахування' }))
    await waitFor(() => expect(screen.queryByText('Зараховано за випискою')).toBeNull())
    const title = screen.getByText('Сплачено за QR-кодами, без комісії')
    await waitFor(() => expect(title.closest('[tabindex]')).toHaveFocus())
    expect(screen.getByText('Зарахування скасовано')).toBeInTheDocument()
    expect(callsOf(CREDIT_UNDO)).toHaveLength(1)
  })
})

describe('an order without the mark', () => {
  it('offers it only once codes were given out', async () => {
    await open({ ...given, codes_given_at: null })
    expect(await screen.findByText('Сплатити за QR-кодами')).toBeVisible()
    expect(screen.queryByText('Позначити сплату за QR-кодами')).toBeNull()
  })
})

describe('a marked order that a card has paid, too', () => {
  it('says that both were told', async () => {
    await open(order({ codes_given_at: given.codes_given_at, codes_payment: payment }))
    const title = 'Позначено як сплачене за QR-кодами, але є й платіж карткою'
    expect(await screen.findByText(title)).toBeVisible()
  })
})
