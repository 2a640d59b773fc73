import { fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'

import { messageText } from '@/i18n/message-texts'
import { gate } from '@/testing/gate'
import { renderRoute } from '@/testing/render-route'
import { order } from '@/testing/samples'
import { answer, callsOf, refuse, startServer } from '@/testing/server'

startServer()

const ACT = '/api/order/{id}/act'

/** An order with what is known of its act. */
const known = (register_number: string) => ({
  order: order({ act: { register_number, date: null, object: null } }),
})

describe('the notarial act of an order', () => {
  it('saves the other fields beside a date that no act can have, and says so at the date', async () => {
    answer('get', '/api/order/{id}', { order: order() })
    answer('post', ACT, known('1-245'))
    const { user } = await renderRoute('/order/order-1/success')
    await user.click(await screen.findByText('Нотаріальна дія'))
    const date = screen.getByLabelText(/Дата нотаріальної дії/u)
    fireEvent.change(date, { target: { value: '1985-03-02' } })
    await user.type(screen.getByLabelText(/Номер у реєстрі нотаріальних дій/u), '1-245')
    await user.tab()
    await waitFor(() => expect(callsOf(ACT)).toHaveLength(1))
    expect(callsOf(ACT)[0]?.body).toEqual({ register_number: '1-245', date: null, object: null })
    expect(date).toHaveAttribute('aria-invalid', 'true')
    expect(screen.getByText(/укажіть рік від 1993/u)).toBeVisible()
    expect(date).toHaveValue('1985-03-02')
  })

  it('keeps the focus near a button that is gone', async () => {
    answer('get', '/api/order/{id}', { order: order() })
    answer('post', ACT, known('7'))
    const { user } = await renderRoute('/order/order-1/success')
    await user.click(await screen.findByText('Нотаріальна дія'))
    await user.type(screen.getByLabelText(/Номер у реєстрі нотаріальних дій/u), '7')
    await user.click(screen.getByRole('button', { name: 'Повернути, як було' }))
    expect(screen.getByRole('group', { name: 'Нотаріальна дія' })).toHaveFocus()
  })
})

const CODES = {
  total: 132,
  transfers: [
    {
      recipient_name: 'ГУК у м. Києві',
      recipient_code: '37993783',
      iban: 'UA848999980999022012600300051',
      amount: 132,
      purpose: '101 збір',
      picture: null,
    },
  ],
}

const codes = () => screen.queryByRole('list', { name: 'QR-коди переказів' })

describe('the QR codes of an order', () => {
  const failed = order({ status: 'failed', payment_state: 'declined' })
  /** Opens a page and has the codes shown. */
  async function show(path: string) {
    answer('get', '/api/order/{id}', { order: failed })
    answer('get', '/api/order', { orders: [failed], next: null })
    answer('post', '/api/order/{id}/codes', CODES)
    const { user } = await renderRoute(path)
    await user.click(await screen.findByText('Сплатити за QR-кодами'))
    expect(screen.getByText(/Якщо його вже оплачено карткою, кодами не користуйтеся/u)).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Закрити оплату карткою і показати коди' }))
    await waitFor(() => expect(codes()).toBeVisible())
    return user
  }

  it('take the focus when they are shown', async () => {
    await show('/order/order-1/error')
    await waitFor(() => expect(codes()).toHaveFocus())
  })

  it.each([
    ['/archive', 'Повторити спробу оплати'],
    ['/order/order-1/error', 'Повернутися до оплати'],
  ])('disappear from %s as soon as a payment page may be open', async (path, button) => {
    vi.spyOn(window, 'open').mockReturnValue(null)
    const user = await show(path)
    refuse('get', '/api/order/{id}/update/pay-link', 409, { message: 'payment_codes_given' })
    await user.click(screen.getByRole('button', { name: button }))
    expect(await screen.findByText(messageText('payment_codes_given'))).toBeVisible()
    expect(codes()).toBeVisible()

    // Before the answer, and also if it never comes: the page may be open.
    const end = gate()
    refuse(
      'get',
      '/api/order/{id}/update/pay-link',
      500,
      { message: 'internal_error' },
      { after: end.passed },
    )
    await user.click(screen.getByRole('button', { name: button }))
    await waitFor(() => expect(codes()).toBeNull())
    end.open()
    expect(await screen.findByText(messageText('internal_error'))).toBeVisible()
    expect(codes()).toBeNull()
    expect(
      screen.getByRole('button', { name: 'Закрити оплату карткою і показати коди', hidden: true }),
    ).toBeInTheDocument()
  })

  it('disappear when a payment page was opened in another window', async () => {
    const user = await show('/archive')
    answer('get', '/api/order/{id}/status', {
      status: 'pending',
      payment_state: 'waiting',
      returned: [],
      items: [],
    })
    await user.click(screen.getByRole('button', { name: /^Оновити статус замовлення/u }))
    await waitFor(() => expect(codes()).toBeNull())
  })
})
