import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'

import type { NotarialAct } from '@/api/notarial-act'
import { ordersKey } from '@/api/orders'
import { queryClient } from '@/api/query-client'
import { messageText } from '@/i18n/message-texts'
import { gate } from '@/testing/gate'
import { openRow } from '@/testing/open-row'
import { renderRoute } from '@/testing/render-route'
import { config, order } from '@/testing/samples'
import { answer, answersArrived, callsOf, refuse, startServer, type Call } from '@/testing/server'

startServer()

const ACT = '/api/order/{id}/act'

/** An order with what is known of its act. */
const known = (register_number: string) => ({
  order: order({ act: { register_number, date: null, object: null } }),
})

/** Stores the act as it was sent. */
const asSent = ({ body }: Call) => ({ order: order({ act: body as NotarialAct }) })

describe('the notarial act of an order', () => {
  it('stores no date while what stands in its field is none, and says so', async () => {
    const dated: NotarialAct = { register_number: null, date: '2026-11-20', object: null }
    answer('get', '/api/order/{id}', { order: order({ act: dated }) })
    answer('post', ACT, asSent)
    const { user } = await renderRoute('/order/order-1/success')
    await user.click(await screen.findByText('Нотаріальна дія'))
    const date = screen.getByLabelText(/Дата нотаріальної дії/u)
    expect(date).toHaveValue('20.11.2026')
    await user.type(date, '{Backspace}{Backspace}{Backspace}')
    await user.tab()
    expect(await screen.findByText('Введіть дату, наприклад 05.11.2026')).toBeVisible()
    expect(screen.getByText('Ще не збережено')).toBeVisible()
    await user.clear(date)
    await user.type(date, '31.02.2027')
    await user.tab()
    expect(await screen.findByText('Введіть дату, наприклад 05.11.2026')).toBeVisible()
    expect(date).toHaveValue('31.02.2027')
    await user.type(screen.getByLabelText(/Об’єкт/u), 'кв. 1')
    await user.tab()
    await waitFor(() => expect(callsOf(ACT).at(-1)?.body).toEqual({ ...dated, object: 'кв. 1' }))
    await user.clear(date)
    await user.type(date, '1/3/27')
    await user.tab()
    expect(date).toHaveValue('01.03.2027')
    await waitFor(() =>
      expect(callsOf(ACT).at(-1)?.body).toEqual({ ...dated, date: '2027-03-01', object: 'кв. 1' }),
    )
    expect(callsOf(ACT).map(({ body }) => (body as NotarialAct).date)).not.toContain(null)
  })

  it('stores no date whose year is still being typed', async () => {
    const dated: NotarialAct = { register_number: null, date: '2026-11-20', object: null }
    answer('get', '/api/order/{id}', { order: order({ act: dated }) })
    answer('post', ACT, asSent)
    const { user } = await renderRoute('/order/order-1/success')
    await user.click(await screen.findByText('Нотаріальна дія'))
    const date = screen.getByLabelText(/Дата нотаріальної дії/u)
    fireEvent.change(date, { target: { value: '05.11.20' } })
    await user.type(screen.getByLabelText(/Об’єкт/u), 'кв. 1')
    await user.tab()
    await waitFor(() => expect(callsOf(ACT).at(-1)?.body).toEqual({ ...dated, object: 'кв. 1' }))
    expect(screen.queryByText(/укажіть рік від 1993/u)).toBeNull()
    fireEvent.change(date, { target: { value: '2026-11-20' } })
    expect(screen.getByText('20.11.2026, кв. 1')).toBeVisible()
    expect(await screen.findByText('Збережено')).toBeVisible()
  })

  it('saves the other fields beside a date that no act can have, and says so at the date', async () => {
    answer('get', '/api/order/{id}', { order: order() })
    answer('post', ACT, known('1-245'))
    const { user } = await renderRoute('/order/order-1/success')
    await user.click(await screen.findByText('Нотаріальна дія'))
    const date = screen.getByLabelText(/Дата нотаріальної дії/u)
    fireEvent.change(date, { target: { value: '1985-03-02' } })
    await user.type(screen.getByLabelText(/Реєстровий номер/u), '1-245')
    await user.tab()
    await waitFor(() => expect(callsOf(ACT)).toHaveLength(1))
    expect(callsOf(ACT)[0]?.body).toEqual({ register_number: '1-245', date: null, object: null })
    expect(date).toHaveAttribute('aria-invalid', 'true')
    expect(screen.getByText(/укажіть рік від 1993/u)).toBeVisible()
    expect(date).toHaveValue('1985-03-02')
  })

  it.each([
    [
      { chars_max: 12, marks: '-/' },
      '1-245.7',
      'Номер може мати до 12 символів: літери, цифри, пробіли та знаки - /',
    ],
    [{ chars_max: 12, marks: '' }, '1-245', 'Номер може мати до 12 символів: літери, цифри й пробіли'],
    [{ chars_max: 12, marks: null }, '1234567890123', 'Номер може мати до 12 символів. Скоротіть його'],
  ])('names what a number in the register may be, and saves the rest: %j', async (rule, wrong, text) => {
    const earlier: NotarialAct = { register_number: '№ 1-245 (а), том 2', date: null, object: null }
    let stored = earlier
    answer('get', '/api/order/{id}', () => ({ order: order({ act: stored }) }))
    answer('post', ACT, (call) => {
      stored = call.body as NotarialAct
      return asSent(call)
    })
    const { user } = await renderRoute('/order/order-1/success', {
      config: { ...config, register_number: rule },
    })
    await user.click(await screen.findByText('Нотаріальна дія'))
    const enter = async (field: HTMLElement, value: string) => {
      await user.click(field)
      fireEvent.change(field, { target: { value } })
      await user.tab()
    }
    // The stored number may stay.
    await enter(screen.getByLabelText(/Об’єкт/u), 'кв. 1')
    await waitFor(() => expect(stored).toEqual({ ...earlier, object: 'кв. 1' }))
    const number = screen.getByLabelText(/Реєстровий номер/u)
    await enter(number, wrong)
    expect(await screen.findByText(text)).toBeVisible()
    expect(number).toHaveAttribute('aria-invalid', 'true')
    await enter(number, '17')
    await waitFor(() => expect(stored).toEqual({ ...earlier, register_number: '17', object: 'кв. 1' }))
    // A number that is not taken is not sent.
    expect(callsOf(ACT)).toHaveLength(2)
  })

  it('keeps the focus near a button that is gone', async () => {
    answer('get', '/api/order/{id}', { order: order() })
    answer('post', ACT, known('7'))
    const { user } = await renderRoute('/order/order-1/success')
    await user.click(await screen.findByText('Нотаріальна дія'))
    await user.type(screen.getByLabelText(/Реєстровий номер/u), '7')
    await user.click(screen.getByRole('button', { name: 'Повернути, як було' }))
    expect(screen.getByRole('group', { name: 'Нотаріальна дія' })).toHaveFocus()
  })
})

describe('the notarial act in danger', () => {
  it('keeps what was saved until the order has been read again, and beside what is typed meanwhile', async () => {
    answer('get', '/api/order/{id}', { order: order() })
    answer('post', ACT, asSent)
    const { user } = await renderRoute('/order/order-1/success')
    await user.click(await screen.findByText('Нотаріальна дія'))
    const number = screen.getByLabelText(/Реєстровий номер/u)
    const read = gate()
    answer('get', '/api/order/{id}', async () => {
      await read.passed
      return known('7')
    })
    await user.type(number, '7')
    await user.tab()
    expect(await screen.findByText('Збережено')).toBeVisible()
    expect(number).toHaveValue('7')
    fireEvent.change(screen.getByLabelText(/Об’єкт/u), { target: { value: 'квартира 12' } })
    await user.tab()
    await waitFor(() =>
      expect(callsOf(ACT).at(-1)?.body).toEqual({ register_number: '7', date: null, object: 'квартира 12' }),
    )
    read.open()
  })

  it('keeps a second field when the first one is read while the second is being saved', async () => {
    answer('get', '/api/order/{id}', { order: order() })
    answer('post', ACT, asSent)
    const { user } = await renderRoute('/order/order-1/success')
    await user.click(await screen.findByText('Нотаріальна дія'))
    const read = gate()
    answer('get', '/api/order/{id}', async () => {
      await read.passed
      return known('7')
    })
    await user.type(screen.getByLabelText(/Реєстровий номер/u), '7')
    await user.tab()
    expect(await screen.findByText('Збережено')).toBeVisible()
    const save = gate()
    answer('post', ACT, async (call) => {
      await save.passed
      return asSent(call)
    })
    const object = screen.getByLabelText(/Об’єкт/u)
    fireEvent.change(object, { target: { value: 'квартира 12' } })
    await user.tab()
    expect(await screen.findByText('Зберігаємо…')).toBeVisible()
    const second = gate()
    read.open()
    await answersArrived()
    // The order is read again after the second save, and does not come.
    answer('get', '/api/order/{id}', async () => {
      await second.passed
      return { order: order({ act: { register_number: '7', date: null, object: 'квартира 12' } }) }
    })
    save.open()
    expect(await screen.findByText('Збережено')).toBeVisible()
    expect(object).toHaveValue('квартира 12')
    second.open()
  })

  it('is saved as a line: what a pasted text has for spaces is no change', async () => {
    answer('get', '/api/order/{id}', { order: order() })
    answer('post', ACT, asSent)
    const { user } = await renderRoute('/order/order-1/success')
    await user.click(await screen.findByText('Нотаріальна дія'))
    fireEvent.change(screen.getByLabelText(/Об’єкт/u), { target: { value: 'м.\u00A0Київ,\u00ADвул. Тиха' } })
    await waitFor(() =>
      expect(callsOf(ACT).at(-1)?.body).toEqual({
        register_number: null,
        date: null,
        object: 'м. Київ,вул. Тиха',
      }),
    )
    expect(await screen.findByText('Збережено')).toBeVisible()
  })

  it('goes back to what it was without what another window has saved', async () => {
    answer('get', '/api/order/{id}', { order: order() })
    answer('post', ACT, asSent)
    const { user } = await renderRoute('/order/order-1/success')
    await user.click(await screen.findByText('Нотаріальна дія'))
    const number = screen.getByLabelText(/Реєстровий номер/u)
    fireEvent.change(screen.getByLabelText(/Об’єкт/u), { target: { value: 'квартира 12' } })
    answer('get', '/api/order/{id}', known('8'))
    await act(() => queryClient.invalidateQueries({ queryKey: ordersKey.all }))
    await waitFor(() => expect(number).toHaveValue('8'))
    await user.click(screen.getByRole('button', { name: 'Повернути, як було' }))
    expect(screen.getByLabelText(/Об’єкт/u)).toHaveValue('')
    expect(number).toHaveValue('8')
  })

  it('can be undone after another window has saved another field', async () => {
    answer('get', '/api/order/{id}', known('6'))
    answer('post', ACT, asSent)
    const { user } = await renderRoute('/order/order-1/success')
    await user.click(await screen.findByText('Нотаріальна дія'))
    const number = screen.getByLabelText(/Реєстровий номер/u)
    answer('get', '/api/order/{id}', known('7'))
    fireEvent.change(number, { target: { value: '7' } })
    await user.click(number)
    await user.tab()
    expect(await screen.findByText('Збережено')).toBeVisible()
    answer('get', '/api/order/{id}', {
      order: order({ act: { register_number: '7', date: null, object: 'квартира 12' } }),
    })
    await act(() => queryClient.invalidateQueries({ queryKey: ordersKey.all }))
    await waitFor(() => expect(screen.getByLabelText(/Об’єкт/u)).toHaveValue('квартира 12'))
    await user.click(screen.getByRole('button', { name: 'Повернути, як було' }))
    expect(number).toHaveValue('6')
    expect(screen.getByLabelText(/Об’єкт/u)).toHaveValue('квартира 12')
    await waitFor(() =>
      expect(callsOf(ACT).at(-1)?.body).toEqual({ register_number: '6', date: null, object: 'квартира 12' }),
    )
    await waitFor(() => expect(screen.queryByText('Зберігаємо…')).not.toBeInTheDocument())
  })

  it('whose answer was lost is saved once the order says so', async () => {
    answer('get', '/api/order/{id}', { order: order() })
    refuse('post', ACT, 500, { message: 'internal_error' })
    const { user } = await renderRoute('/order/order-1/success')
    await user.click(await screen.findByText('Нотаріальна дія'))
    await user.type(screen.getByLabelText(/Реєстровий номер/u), '7')
    await user.tab()
    expect(await screen.findByText('Не збережено')).toBeVisible()
    answer('get', '/api/order/{id}', known('7'))
    await act(() => queryClient.invalidateQueries({ queryKey: ordersKey.all }))
    await waitFor(() => expect(screen.queryByText('Не збережено')).not.toBeInTheDocument())
    expect(screen.getByText('Збережено')).toBeVisible()
  })

  it('that comes back to its form takes what another window has saved since', async () => {
    answer('get', '/api/order/{id}', { order: order() })
    answer('get', '/api/order', { orders: [], next: null })
    refuse('post', ACT, 500, { message: 'internal_error' })
    const { user, go } = await renderRoute('/order/order-1/success')
    await user.click(await screen.findByText('Нотаріальна дія'))
    fireEvent.change(screen.getByLabelText(/Об’єкт/u), { target: { value: 'квартира 12' } })
    await user.click(screen.getByLabelText(/Об’єкт/u))
    await user.tab()
    expect(await screen.findByText('Не збережено')).toBeVisible()
    await go('/archive')
    expect(await screen.findByText('Замовлень ще немає')).toBeVisible()
    queryClient.removeQueries({ queryKey: ordersKey.all })
    answer('get', '/api/order/{id}', known('8'))
    answer('post', ACT, asSent)
    await go('/order/order-1/success')
    await waitFor(() => expect(screen.getByLabelText(/Об’єкт/u)).toHaveValue('квартира 12'))
    expect(screen.getByLabelText(/Реєстровий номер/u)).toHaveValue('8')
  })

  it('takes the number of another window beside an object that is typed here', async () => {
    answer('get', '/api/order/{id}', { order: order() })
    answer('post', ACT, asSent)
    const { user } = await renderRoute('/order/order-1/success')
    await user.click(await screen.findByText('Нотаріальна дія'))
    await user.type(screen.getByLabelText(/Об’єкт/u), 'квартира 12')
    answer('get', '/api/order/{id}', known('8'))
    await act(() => queryClient.invalidateQueries({ queryKey: ordersKey.all }))
    await waitFor(() => expect(screen.getByLabelText(/Реєстровий номер/u)).toHaveValue('8'))
    expect(screen.getByLabelText(/Об’єкт/u)).toHaveValue('квартира 12')
    await user.tab()
    await waitFor(() =>
      expect(callsOf(ACT).at(-1)?.body).toEqual({ register_number: '8', date: null, object: 'квартира 12' }),
    )
  })

  it('that was not saved opens itself and can’t be folded away', async () => {
    answer('get', '/api/order/{id}', { order: order() })
    const end = gate()
    refuse('post', ACT, 500, { message: 'internal_error' }, { after: end.passed })
    const { user } = await renderRoute('/order/order-1/success')
    const title = await screen.findByText('Нотаріальна дія')
    const number = screen.getByLabelText(/Реєстровий номер/u)
    await user.click(title)
    await user.type(number, '7')
    await user.click(title)
    expect(number).not.toBeVisible()
    end.open()
    // It opens after the notice has come.
    await waitFor(() => expect(screen.getByText('Не збережено')).toBeVisible())
    await user.click(title)
    expect(number).toBeVisible()
    answer('post', ACT, known('7'))
    answer('get', '/api/order/{id}', known('7'))
    await user.click(screen.getByRole('button', { name: 'Зберегти ще раз' }))
    expect(await screen.findByText('Збережено')).toBeVisible()
    await user.click(title)
    expect(number).not.toBeVisible()
  })

  it('that was saved after its form had gone does not come back over a later change', async () => {
    answer('get', '/api/order/{id}', { order: order() })
    const end = gate()
    answer('post', ACT, async () => {
      await end.passed
      return known('7')
    })
    answer('get', '/api/order', { orders: [], next: null })
    const { user, go } = await renderRoute('/order/order-1/success')
    await user.click(await screen.findByText('Нотаріальна дія'))
    fireEvent.change(screen.getByLabelText(/Реєстровий номер/u), { target: { value: '7' } })
    answer('get', '/api/order/{id}', known('7'))
    await go('/archive')
    expect(await screen.findByText('Замовлень ще немає')).toBeVisible()
    expect(callsOf(ACT)).toHaveLength(1)
    const reads = callsOf('/api/order/{id}').length
    end.open()
    await waitFor(() => expect(callsOf('/api/order/{id}').length).toBeGreaterThan(reads))
    // Changed in another window.
    answer('get', '/api/order/{id}', known('8'))
    queryClient.removeQueries({ queryKey: ordersKey.all })
    await go('/order/order-1/success')
    expect(await screen.findByText('№ 8')).toBeVisible()
    expect(screen.getByLabelText(/Реєстровий номер/u)).toHaveValue('8')
    expect(callsOf(ACT)).toHaveLength(1)
  })
})

describe('the link to the transfers of an order', () => {
  it.each([
    ['/archive', 'paid', true],
    ['/order/order-1/success', 'paid', true],
    ['/archive', 'failed', false],
  ] as const)('stands on %s of an order that is %s: %s', async (path, status, isThere) => {
    const shown = order({ status, payment_state: status === 'paid' ? 'paid' : 'declined' })
    answer('get', '/api/order/{id}', { order: shown })
    answer('get', '/api/order', { orders: [shown], next: null })
    await renderRoute(path)
    await openRow(path)
    await screen.findByText('Нотаріальна дія')
    const link = screen.queryByRole('link', { name: 'Перекази замовлення' })
    expect(link?.getAttribute('href') ?? null).toBe(isThere ? '/order/order-1/transfers' : null)
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
    await openRow(path)
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
