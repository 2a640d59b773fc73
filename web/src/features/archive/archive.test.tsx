import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { session } from '@/api/session'
import { messageText } from '@/i18n/message-texts'
import { saveFile } from '@/lib/download'
import { gate } from '@/testing/gate'
import { renderRoute } from '@/testing/render-route'
import { cart, olena, order, orderItem, returnedPart } from '@/testing/samples'
import { answer, answerBytes, callsOf, refuse, startServer } from '@/testing/server'

vi.mock('@/lib/download', () => ({ saveFile: vi.fn<(bytes: Blob, fileName: string) => void>() }))

startServer()

const paid = order({
  id: 'paid',
  number: '100046',
  items: [orderItem({ id: 'p1' }), orderItem({ id: 'p2', sum_total: 12.5 })],
})
const pending = order({
  id: 'pending',
  number: '100045',
  status: 'pending',
  widget_url: 'https://bank.example/invoice/1',
  items: [orderItem({ id: 'w1', status: 'pending' })],
})
const working = order({
  id: 'working',
  number: '100044',
  status: 'in_progress',
  items: [orderItem({ id: 'i1', status: 'in_progress' })],
})
const failed = order({
  id: 'failed',
  number: '100043',
  status: 'failed',
  items: [orderItem({ id: 'f1', status: 'failed' })],
})

const row = (number: string) => screen.findByRole('region', { name: `Замовлення № ${number}` })

const toggleOf = (number: string) => screen.findByRole('button', { name: `Подробиці замовлення № ${number}` })

/** The row of an order, opened: what it shows closed, its table and its foot. */
async function sheet(number: string) {
  const shown = within(await row(number))
  const toggle = shown.getByRole('button', { name: `Подробиці замовлення № ${number}` })
  if (toggle.getAttribute('aria-expanded') === 'false') fireEvent.click(toggle)
  await shown.findByRole('table', { name: `Платежі замовлення № ${number}` })
  return shown
}

describe('a row of the archive', () => {
  const paidOfAct = order({
    ...paid,
    act: { register_number: '1-245', date: null, object: null },
    items: [...paid.items, orderItem({ id: 'p3' })],
  })

  it('tells the order in brief, and opens by its button with all the rest', async () => {
    answer('get', '/api/order', { orders: [paidOfAct, pending], next: null })
    const { user } = await renderRoute('/archive')
    const shown = await row('100046')
    for (const text of [
      '№ 100046',
      '19.11.26 16:05:09',
      'Коваль Петро Олексійович',
      '1759013776',
      'дія № 1-245',
      'Адміністративний збір',
      'Реєстрація права власності',
      'і ще 2 платежі',
      /362,50\sгрн/u,
      'Сплачено',
    ])
      expect(shown).toHaveTextContent(text)
    expect(screen.queryByRole('table')).toBeNull()
    expect(within(shown).getByRole('link', { name: 'Замовлення № 100046' })).toHaveAttribute(
      'href',
      '/order/paid',
    )

    const toggle = within(shown).getByRole('button', { name: 'Подробиці замовлення № 100046' })
    expect(toggle).toHaveAttribute('aria-expanded', 'false')
    act(() => toggle.focus())
    await user.keyboard('{Enter}')
    expect(await within(shown).findByRole('table', { name: 'Платежі замовлення № 100046' })).toBeVisible()
    expect(toggle).toHaveAttribute('aria-expanded', 'true')
    expect(shown).toHaveTextContent('Код клієнта 1759013776')
    expect(shown).toHaveTextContent(/сплачено 19 листопада 2026 р\. о 16:06, картка 424242\*{6}4242/u)
    expect(screen.getAllByRole('table')).toHaveLength(1)

    await user.keyboard('{Enter}')
    expect(screen.queryByRole('table')).toBeNull()
    expect(toggle).toHaveFocus()
  })

  it('stays opened on the way to another page and back', async () => {
    answer('get', '/api/order', { orders: [paid, pending], next: null })
    answer('get', '/api/cart', cart())
    const { go, back } = await renderRoute('/archive')
    await sheet('100045')
    await go('/cart')
    expect(await screen.findByText('Кошик порожній')).toBeVisible()
    back()
    expect(await screen.findByRole('table', { name: 'Платежі замовлення № 100045' })).toBeVisible()
    expect(screen.getAllByRole('table')).toHaveLength(1)
  })

  it('is kept by the address, with its filters, and nothing is loaded again for it', async () => {
    answer('get', '/api/order', { orders: [paid, pending], next: null })
    const { user, address } = await renderRoute('/archive?status=paid')
    await user.click(await toggleOf('100046'))
    await user.click(await toggleOf('100045'))
    await waitFor(() => expect(address()).toBe(`/archive?status=paid&open=${paid.id}.${pending.id}`))
    await user.click(await toggleOf('100046'))
    await waitFor(() => expect(address()).toBe(`/archive?status=paid&open=${pending.id}`))
    await waitFor(async () => expect(await toggleOf('100046')).toHaveFocus())
    await user.click(screen.getByRole('button', { name: 'Скинути фільтри' }))
    await waitFor(() => expect(address()).toBe(`/archive?open=${pending.id}`))
    expect(await screen.findByRole('table', { name: 'Платежі замовлення № 100045' })).toBeVisible()
    expect(callsOf('/api/order')).toHaveLength(2)
  })

  it('is opened by an address', async () => {
    answer('get', '/api/order', { orders: [paid, pending], next: null })
    await renderRoute(`/archive?open=${paid.id}`)
    expect(await screen.findByRole('table', { name: 'Платежі замовлення № 100046' })).toBeVisible()
    expect(screen.getAllByRole('table')).toHaveLength(1)
  })
})

const switchOfAll = () => screen.findByRole('checkbox', { name: 'Показувати платежі' })

const buttonsOf = async (number: string) =>
  within(await row(number))
    .queryAllByText(/^(?:Оновити статус|Сплатити|Квитанції|Повторити)/u)
    .map((element) => element.textContent.replaceAll(/\s/gu, ' '))

describe('a closed row', () => {
  it('offers by small buttons what can be done with the order', async () => {
    answer('get', '/api/order', { orders: [paid, pending, working, failed], next: null })
    await renderRoute('/archive')
    await row('100046')
    expect(await buttonsOf('100046')).toEqual(['Оновити статус', 'Квитанції', 'Повторити'])
    expect(await buttonsOf('100045')).toEqual(['Оновити статус', 'Сплатити 350,00 грн', 'Повторити'])
    expect(await buttonsOf('100044')).toEqual(['Оновити статус'])
    expect(await buttonsOf('100043')).toEqual(['Оновити статус', 'Повторити'])
    expect(screen.queryByRole('table')).toBeNull()
    const pay = within(await row('100045')).getByRole('link', { name: /^Сплатити/u })
    expect(pay).toHaveAttribute('href', 'https://bank.example/invoice/1')
    expect(pay).toHaveAttribute('target', '_blank')
    expect(
      within(await row('100043')).getByRole('link', { name: 'Повторити платіж замовлення № 100043' }),
    ).toHaveAttribute('href', '/?repeat_item_id=f1')
  })

  it('gives a receipt by two presses, and says where it does not come', async () => {
    answer('get', '/api/order', { orders: [paid], next: null })
    answerBytes('get', '/api/order/{id}/receipt', 'application/pdf')
    refuse('get', '/api/order/{id}/receipt', 409, { message: 'receipt_not_available' }, { once: true })
    const { user } = await renderRoute('/archive')
    const shown = within(await row('100046'))
    const fetch = async () => {
      await user.click(shown.getByRole('button', { name: 'Завантажити квитанції замовлення № 100046' }))
      await user.click(screen.getByRole('menuitem', { name: 'Квитанція про сплату' }))
    }
    await fetch()
    expect(await shown.findByRole('alert')).toHaveTextContent('Квитанція ще не готова')
    await fetch()
    await waitFor(() =>
      expect(saveFile).toHaveBeenLastCalledWith(expect.any(Blob), 'Receipt-paid-payment.pdf'),
    )
    expect(shown.queryByRole('alert')).toBeNull()
  })

  it('of several payments asks which one to repeat', async () => {
    answer('get', '/api/order', { orders: [paid], next: null })
    const { user } = await renderRoute('/archive')
    await user.click(
      within(await row('100046')).getByRole('button', { name: 'Повторити платіж замовлення № 100046' }),
    )
    expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual([
      'Адміністративний збір: Реєстрація права власності',
      'Адміністративний збір: Реєстрація права власності',
    ])
  })
})

describe('all rows', () => {
  it('are opened by a switch that the browser keeps, and one can be closed', async () => {
    onTestFinished(() => localStorage.removeItem('cabinet.shows-payments'))
    answer('get', '/api/order', { orders: [paid, pending], next: null })
    const { user, address } = await renderRoute('/archive')
    await user.click(await switchOfAll())
    await waitFor(() => expect(screen.getAllByRole('table')).toHaveLength(2))
    expect(address()).toBe('/archive')
    await user.click(await toggleOf('100045'))
    expect(screen.getAllByRole('table')).toHaveLength(1)
    await user.click(await toggleOf('100045'))
    await waitFor(() => expect(screen.getAllByRole('table')).toHaveLength(2))
    cleanup()

    await renderRoute('/archive')
    expect(await switchOfAll()).toBeChecked()
    await waitFor(() => expect(screen.getAllByRole('table')).toHaveLength(2))
    await user.click(await switchOfAll())
    expect(screen.queryByRole('table')).toBeNull()
    expect(localStorage.getItem('cabinet.shows-payments')).toBeNull()
  })

  it('are a few presses away from the head of the page', async () => {
    answer('get', '/api/order', { orders: [paid], next: null })
    const { user } = await renderRoute('/archive')
    await row('100046')
    act(() => screen.getByRole('heading', { level: 1 }).focus())
    await user.tab()
    expect(screen.getByRole('button', { name: 'До списку замовлень' })).toHaveFocus()
    await user.keyboard('{Enter}')
    await user.tab()
    await waitFor(async () => expect(await toggleOf('100046')).toHaveFocus())
  })
})

describe('the archive', () => {
  it('shows an item without a status of its own as its order', async () => {
    const { status: _status, ...bare } = orderItem({ id: 'p1' })
    const given = order({ id: 'paid', number: '100046', items: [bare as ReturnType<typeof orderItem>] })
    answer('get', '/api/order', { orders: [given], next: null })
    await renderRoute('/archive')
    const inPaid = await sheet('100046')
    expect(inPaid.getAllByText('Сплачено')).toHaveLength(2)
    expect(inPaid.getByRole('button', { name: /^Квитанція: / })).toBeVisible()
  })

  it('names a part that the bank has sent back, with sum, day and reason, also in a closed row', async () => {
    // Where all the money went back to the card, nothing is left to do about a part of it.
    const refunded = { ...working, status: 'refunded' as const, returned: [returnedPart()] }
    answer('get', '/api/order', { orders: [{ ...paid, returned: [returnedPart()] }, refunded], next: null })
    await renderRoute('/archive')
    const inPaid = within(await row('100046'))
    const notice = await inPaid.findByRole('alert')
    expect(notice).toHaveTextContent(/Банк отримувача повернув кошти сервісу: отримувачу не зараховано/u)
    expect(notice).toHaveTextContent(/132,00 грн повернено 22\.11\.2026, переказ № 4711/u)
    expect(notice).toHaveTextContent(/Причина: Код отримувача не відповідає рахунку/u)
    expect(within(notice).getByText('Код отримувача не відповідає рахунку')).toHaveAttribute('lang', 'uk')
    expect(inPaid.getByRole('link', { name: 'Надіслати повторно або повернути на картку' })).toBeVisible()
    const inOther = await sheet('100044')
    expect(inOther.queryByText(/Банк отримувача повернув/u)).toBeNull()
  })

  it('says of a paid order in its closed row what was given back to the card before it was sent', async () => {
    answer('get', '/api/order', { orders: [{ ...paid, given_back: 132 }, pending], next: null })
    await renderRoute('/archive')
    const inPaid = within(await row('100046'))
    const notice = await inPaid.findByRole('alert')
    expect(notice).toHaveTextContent(
      /^132,00 грн повернено на картку до передачі банку: отримувачу не надісланоЗавантажте квитанцію ще раз/u,
    )
    // Nothing is left to decide.
    expect(within(notice).queryByRole('link')).toBeNull()
    expect(within(await row('100045')).queryByRole('alert')).toBeNull()
  })

  it('offers in each status what can be done with it', async () => {
    answer('get', '/api/order', { orders: [paid, pending, working, failed], next: null })
    await renderRoute('/archive')

    const inPaid = await sheet('100046')
    expect(inPaid.getAllByRole('button', { name: /^Квитанція: / })).toHaveLength(2)
    expect(inPaid.getByRole('button', { name: 'Завантажити квитанції замовлення № 100046' })).toBeVisible()
    expect(inPaid.getByText('2 платежі').parentElement).toHaveTextContent(/^2 платежі\s?362,50 грн$/u)
    expect(inPaid.getAllByText('20.11.26')).toHaveLength(2)
    expect(inPaid.getAllByText('11:12:33')).toHaveLength(2)
    expect(inPaid.getAllByRole('link', { name: /^Повторити/u })[0]).toHaveAttribute(
      'href',
      '/?repeat_item_id=p1',
    )

    const inPending = await sheet('100045')
    const pay = inPending.getByRole('link', { name: /^Сплатити [\d\s]+,\d{2}\sгрн$/u })
    expect(pay).toHaveAttribute('href', 'https://bank.example/invoice/1')
    expect(pay).toHaveAttribute('target', '_blank')
    expect(inPending.queryByRole('button', { name: /^Квитанція/u })).not.toBeInTheDocument()

    const inWorking = await sheet('100044')
    expect(inWorking.queryByRole('link', { name: /^Повторити/u })).not.toBeInTheDocument()
    expect(inWorking.queryByRole('link', { name: /^Сплатити/u })).not.toBeInTheDocument()

    const inFailed = await sheet('100043')
    expect(inFailed.getByRole('button', { name: 'Повторити спробу оплати' })).toBeVisible()
    expect(inFailed.getByRole('link', { name: /^Повторити/u })).toBeVisible()
  })

  it.each(['failed', 'pending', 'expired'] as const)(
    'offers no payment of an order under review that is %s, and says why',
    async (status) => {
      const doubted = order({
        number: '100050',
        status,
        payment_state: 'under_review',
        widget_url: 'https://bank.example/invoice/1',
      })
      answer('get', '/api/order', { orders: [doubted], next: null })
      await renderRoute('/archive')
      const shown = await sheet('100050')
      expect(shown.getAllByText('Перевіряється')).toHaveLength(2)
      expect(shown.getByText(/^Оплату цього замовлення перевіряють/u)).toBeVisible()
      expect(shown.queryByRole('button', { name: /оплати|сплатити/iu })).not.toBeInTheDocument()
      expect(shown.queryByRole('link', { name: /оплати|сплатити/iu })).not.toBeInTheDocument()
    },
  )

  it('offers no payment of a failed order whose money is not known', async () => {
    answer('get', '/api/order', { orders: [order({ ...failed, payment_state: 'unknown' })], next: null })
    await renderRoute('/archive')
    expect((await sheet('100043')).queryByText('Повторити спробу оплати')).not.toBeInTheDocument()
  })

  it('leads an order that has gone back to the cart there', async () => {
    const returned = order({ ...failed, failure: 'order_returned_to_cart' })
    answer('get', '/api/order', { orders: [returned], next: null })
    await renderRoute('/archive')
    const shown = await sheet('100043')
    expect(shown.getByRole('link', { name: 'До кошика' })).toHaveAttribute('href', '/cart')
    expect(shown.queryByText('Повторити спробу оплати')).not.toBeInTheDocument()
  })

  it('leads back to the bank’s page that is still open', async () => {
    const open = order({
      ...failed,
      payment_state: 'declined_page_open',
      widget_url: 'https://bank.example/invoice/1',
    })
    answer('get', '/api/order', { orders: [open], next: null })
    await renderRoute('/archive')
    expect((await sheet('100043')).getByRole('link', { name: 'Повернутися до оплати' })).toHaveAttribute(
      'href',
      'https://bank.example/invoice/1',
    )
  })

  it.each([
    ['order_under_review', 'heading', 'Архів'],
    ['payment_outcome_unknown', 'heading', 'Архів'],
    ['order_returned_to_cart', 'link', 'До кошика'],
  ] as const)('after %s offers no payment, and the focus goes to the %s', async (key, role, name) => {
    vi.spyOn(window, 'open').mockReturnValue(null)
    answer('get', '/api/order', { orders: [failed], next: null })
    refuse('get', '/api/order/{id}/update/pay-link', 409, { message: key })
    const { user } = await renderRoute('/archive')
    await user.click((await sheet('100043')).getByRole('button', { name: 'Повторити спробу оплати' }))
    await waitFor(() => expect(screen.getByRole(role, { name })).toHaveFocus())
    expect(screen.getByRole('alert')).toHaveTextContent(messageText(key))
    expect(screen.queryByText('Повторити спробу оплати')).not.toBeInTheDocument()
  })

  it('merges a status that was asked for', async () => {
    answer('get', '/api/order', { orders: [pending], next: null })
    answer('get', '/api/order/{id}/status', {
      status: 'paid',
      payment_state: 'paid',
      returned: [],
      items: [{ id: 'w1', status: 'paid' }],
    })
    const { user } = await renderRoute('/archive')
    await user.click(
      (await sheet('100045')).getByRole('button', { name: 'Оновити статус замовлення № 100045' }),
    )
    await waitFor(async () => expect((await sheet('100045')).getAllByText('Сплачено')).toHaveLength(2))
    expect((await sheet('100045')).getByRole('button', { name: /^Завантажити квитанції/u })).toBeVisible()
  })

  it('says why a status could not be asked for', async () => {
    answer('get', '/api/order', { orders: [pending], next: null })
    refuse('get', '/api/order/{id}/status', 429, { message: 'too_many_requests' })
    const { user } = await renderRoute('/archive')
    await user.click((await sheet('100045')).getByRole('button', { name: /^Оновити статус/u }))
    expect(await screen.findByText('Забагато спроб. Зачекайте трохи й спробуйте ще раз')).toBeVisible()
  })

  it('downloads the receipts of an item and of the order under their names', async () => {
    answer('get', '/api/order', { orders: [paid], next: null })
    answerBytes('get', '/api/order/item/{id}/receipt', 'application/pdf')
    answerBytes('get', '/api/order/{id}/receipts', 'application/zip')
    const { user } = await renderRoute('/archive')
    const [menu] = (await sheet('100046')).getAllByRole('button', { name: /^Квитанція: / })
    if (menu === undefined) throw new Error('no menu')
    await user.click(menu)
    await user.click(screen.getByRole('menuitem', { name: 'Квитанція про комісію' }))
    await waitFor(() =>
      expect(saveFile).toHaveBeenLastCalledWith(expect.any(Blob), 'Receipt-commission-p1.pdf'),
    )
    await user.click(screen.getByRole('button', { name: /^Завантажити квитанції/u }))
    await user.click(screen.getByRole('menuitem', { name: 'Усі квитанції (ZIP)' }))
    await waitFor(() => expect(saveFile).toHaveBeenLastCalledWith(expect.any(Blob), 'Receipts-paid.zip'))
  })

  it('downloads what is wanted while another receipt is on its way, and shows the work', async () => {
    const slow = gate()
    answer('get', '/api/order', {
      orders: [order({ ...paid, items: [orderItem({ id: 'p1' })] })],
      next: null,
    })
    answerBytes('get', '/api/order/item/{id}/receipt', 'application/pdf', undefined, slow.passed)
    answerBytes('get', '/api/order/{id}/receipt', 'application/pdf')
    const { user } = await renderRoute('/archive')
    const inSheet = await sheet('100046')
    await user.click(inSheet.getByRole('button', { name: /^Квитанція: / }))
    await user.click(screen.getByRole('menuitem', { name: 'Квитанція про сплату' }))
    expect(await inSheet.findByText('Завантажуємо квитанцію…')).toBeInTheDocument()
    await user.click(inSheet.getByRole('button', { name: /^Завантажити квитанції/u }))
    await user.click(screen.getByRole('menuitem', { name: 'Квитанція про комісію' }))
    await waitFor(() =>
      expect(saveFile).toHaveBeenLastCalledWith(expect.any(Blob), 'Receipt-paid-commission.pdf'),
    )
    slow.open()
    await waitFor(() => expect(saveFile).toHaveBeenLastCalledWith(expect.any(Blob), 'Receipt-payment-p1.pdf'))
    await waitFor(() => expect(inSheet.queryByText('Завантажуємо квитанцію…')).not.toBeInTheDocument())
  })

  it('loads further pages', async () => {
    answer('get', '/api/order', ({ query }) =>
      query['before'] === 'older' ? { orders: [failed], next: null } : { orders: [paid], next: 'older' },
    )
    const { user } = await renderRoute('/archive')
    await user.click(await screen.findByRole('button', { name: 'Показати ще' }))
    expect(await row('100043')).toBeVisible()
    expect(await row('100046')).toBeVisible()
    expect(screen.getByText('Більше записів немає')).toBeVisible()
  })
})

describe('the filter', () => {
  it('stands in the address, except for what is personal', async () => {
    answer('get', '/api/order', { orders: [paid], next: null })
    answer('post', '/api/order/search', { orders: [failed], next: null })
    const { user, address } = await renderRoute('/archive')
    await user.selectOptions(await screen.findByLabelText('Статус'), 'Не сплачено')
    expect(address()).toBe('/archive?status=failed')
    await waitFor(() => expect(callsOf('/api/order').at(-1)?.query).toMatchObject({ status: 'failed' }))
    await user.type(screen.getByLabelText('Клієнт, код, номер, сума, отримувач або дія'), 'коваль{Enter}')
    expect(await row('100043')).toBeVisible()
    expect(callsOf('/api/order/search').at(-1)?.body).toMatchObject({ status: 'failed', text: 'коваль' })
    expect(address()).toBe('/archive?status=failed')
  })

  it('keeps a status that is chosen before the search has begun', async () => {
    answer('get', '/api/order', { orders: [paid], next: null })
    answer('post', '/api/order/search', { orders: [failed], next: null })
    const { user, address } = await renderRoute('/archive')
    await user.type(await screen.findByLabelText('Клієнт, код, номер, сума, отримувач або дія'), 'коваль')
    await user.selectOptions(screen.getByLabelText('Статус'), 'Не сплачено')
    expect(await row('100043')).toBeVisible()
    expect(callsOf('/api/order/search').at(-1)?.body).toMatchObject({ status: 'failed', text: 'коваль' })
    expect(address()).toBe('/archive?status=failed')
  })

  it('takes a date that is typed, and Back leads to before it was', async () => {
    answer('get', '/api/order', { orders: [paid], next: null })
    const { address, back, go } = await renderRoute('/archive')
    await go('/archive?status=paid')
    await waitFor(() => expect(screen.getByLabelText('Статус')).toHaveDisplayValue('Сплачено'))
    const from = screen.getByLabelText('Від дати')
    fireEvent.focus(from)
    // What stands in the field while a year is typed.
    for (const text of ['02.11.2', '02.11.20', '02.11.202']) {
      fireEvent.change(from, { target: { value: text } })
      expect(from).toHaveValue(text)
    }
    expect(address()).toBe('/archive?status=paid')
    fireEvent.change(from, { target: { value: '02.11.2026' } })
    await waitFor(() => expect(address()).toBe('/archive?status=paid&from=2026-11-02'))
    fireEvent.change(from, { target: { value: '20 листопада 2026' } })
    await waitFor(() => expect(address()).toBe('/archive?status=paid&from=2026-11-20'))
    expect(from).toHaveValue('20 листопада 2026')
    fireEvent.blur(from)
    await waitFor(() =>
      expect(callsOf('/api/order').at(-1)?.query).toMatchObject({ status: 'paid', from: '2026-11-20' }),
    )
    expect(from).toHaveValue('20.11.2026')
    expect(callsOf('/api/order').map(({ query }) => query['from'])).not.toContain('2020-11-02')
    back()
    await waitFor(() => expect(address()).toBe('/archive?status=paid'))
    await waitFor(() => expect(from).toHaveValue(''))
  })

  it('shows the date it goes by, also where one was deleted on the way and all is reset', async () => {
    answer('get', '/api/order', { orders: [paid], next: null })
    const { user, address } = await renderRoute('/archive?from=2026-11-01')
    await user.click(await screen.findByRole('button', { name: 'Період: від 01.11.2026' }))
    const from = await screen.findByLabelText('Від дати')
    await user.click(from)
    for (const [text, day] of [
      ['', ''],
      ['20.11.2026', '2026-11-20'],
    ] as const) {
      fireEvent.change(from, { target: { value: text } })
      // oxlint-disable-next-line no-await-in-loop
      await waitFor(() => expect(address()).toBe(day === '' ? '/archive' : `/archive?from=${day}`))
    }
    // What is no date stays, with the reason, and another date is not made of it.
    fireEvent.change(from, { target: { value: '31.11.2026' } })
    await user.click(screen.getByLabelText('До дати'))
    expect(from).toHaveValue('31.11.2026')
    expect(from).toHaveAccessibleDescription('Введіть дату, наприклад 05.11.2026')
    expect(address()).toBe('/archive?from=2026-11-20')
    // A short year is shown whole once the field is left.
    await user.click(from)
    fireEvent.change(from, { target: { value: '1/5/26' } })
    await user.click(screen.getByLabelText('До дати'))
    await waitFor(() => expect(address()).toBe('/archive?from=2026-05-01'))
    expect(from).toHaveValue('01.05.2026')
    await user.click(screen.getByRole('button', { name: 'Скинути фільтри' }))
    await waitFor(() => expect(address()).toBe('/archive'))
    await waitFor(() => expect(screen.getByLabelText('Від дати')).toHaveValue(''))
  })

  it('comes back to its notary with Back, and to nobody else', async () => {
    answer('get', '/api/order', { orders: [paid], next: null })
    answer('post', '/api/order/search', { orders: [failed], next: null })
    answer('get', '/api/cart', cart())
    const { user, go, back } = await renderRoute('/archive')
    await user.type(
      await screen.findByLabelText('Клієнт, код, номер, сума, отримувач або дія'),
      'коваль{Enter}',
    )
    await row('100043')
    await go('/cart')
    await screen.findByRole('heading', { name: 'Кошик' })
    back()
    expect(await screen.findByLabelText('Клієнт, код, номер, сума, отримувач або дія')).toHaveValue('коваль')

    await go('/cart')
    await screen.findByRole('heading', { name: 'Кошик' })
    session.expire()
    await screen.findByLabelText('Номер телефону')
    answer('post', '/api/auth/me', { ...olena, id: 'notary-other' })
    session.open({ access_token: 'token', expires_in: 900, notary_id: 'a-notary' })
    await screen.findByRole('heading', { name: 'Кошик' })
    back()
    expect(await screen.findByLabelText('Клієнт, код, номер, сума, отримувач або дія')).toHaveValue('')
  })

  it('is read from the address', async () => {
    answer('get', '/api/order', { orders: [paid], next: null })
    await renderRoute('/archive?status=paid&from=2026-11-01&to=2026-11-30')
    expect(await row('100046')).toBeVisible()
    expect(callsOf('/api/order')[0]?.query).toMatchObject({
      status: 'paid',
      from: '2026-11-01',
      to: '2026-11-30',
    })
    expect(screen.getByLabelText('Статус')).toHaveDisplayValue('Сплачено')
  })

  it('that is reset forgets also what was typed a moment ago', async () => {
    answer('get', '/api/order', { orders: [paid], next: null })
    const searched = vi.fn<(text: unknown) => void>()
    answer('post', '/api/order/search', ({ body }) => {
      searched(body)
      return { orders: [], next: null }
    })
    const { user } = await renderRoute('/archive?status=paid')
    await row('100046')
    vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    await user.type(screen.getByLabelText('Клієнт, код, номер, сума, отримувач або дія'), 'м')
    await user.click(screen.getByRole('button', { name: 'Скинути фільтри' }))
    await vi.advanceTimersByTimeAsync(1000)
    expect(screen.getByLabelText('Клієнт, код, номер, сума, отримувач або дія')).toHaveValue('')
    expect(searched).not.toHaveBeenCalled()
  })

  it('that finds nothing explains and can be reset', async () => {
    answer('get', '/api/order', ({ query }) => ({
      orders: query['status'] === 'expired' ? [] : [paid],
      next: null,
    }))
    const { user, address } = await renderRoute('/archive?status=expired')
    expect(await screen.findByText('За цими фільтрами нічого не знайдено')).toBeVisible()
    const [reset] = screen.getAllByRole('button', { name: 'Скинути фільтри' })
    if (reset === undefined) throw new Error('no button')
    await user.click(reset)
    expect(await row('100046')).toBeVisible()
    expect(address()).toBe('/archive')
    await waitFor(() => expect(screen.getByRole('search')).toHaveFocus())
  })
})

describe('an archive', () => {
  it('without orders offers to make one', async () => {
    answer('get', '/api/order', { orders: [], next: null })
    await renderRoute('/archive')
    expect(await screen.findByText('Замовлень ще немає')).toBeVisible()
    // One in the tabs, the other in the empty archive.
    expect(screen.getAllByRole('link', { name: 'Створити платіж' })).toHaveLength(2)
  })

  it('that does not load says why and can be asked again', async () => {
    refuse('get', '/api/order', 500, { message: 'internal_error' })
    const { user } = await renderRoute('/archive')
    expect(await screen.findByText('Архів не вдалося завантажити')).toBeVisible()
    answer('get', '/api/order', { orders: [paid], next: null })
    await user.click(screen.getByRole('button', { name: 'Спробувати ще раз' }))
    expect(await row('100046')).toBeVisible()
  })
})
