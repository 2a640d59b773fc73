import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { wait } from '@/lib/wait'
import { gate } from '@/testing/gate'
import { renderRoute } from '@/testing/render-route'
import { cart, cartItem, koval, olena, order, orderItem, summaryOf } from '@/testing/samples'
import { answer, answersArrived, callsOf, lose, refuse, startServer } from '@/testing/server'

// Each test decides when a wait ends.
vi.mock('@/lib/wait', () => ({ wait: vi.fn<(milliseconds: number) => Promise<void>>() }))

startServer()

const visa = { Token: 'token-visa', MaskPan: '42424242****4242' }
const lys = { id: 'client-2', inn: '2345678901', full_name: 'Лис Ганна Іванівна' }
const item2 = cartItem({ id: 'item-2' })

/** The cart with both clients, or with those that are left. */
function cartOf(...clients: readonly ('koval' | 'lys')[]) {
  const group = { ...cart(cartItem()).groups[0]!, client: koval }
  const groups = [
    ...(clients.includes('koval') ? [group] : []),
    ...(clients.includes('lys') ? [{ ...group, client: lys, items: [item2] }] : []),
  ]
  return { version: 1, items_count: groups.length, groups }
}

beforeEach(() => {
  vi.mocked(wait).mockResolvedValue()
  answer('get', '/api/cart', cartOf('koval', 'lys'))
  answer('get', '/api/order/token/get-all-tokens-by-phone', { tokens: [visa], last_used: visa.Token })
  answer('get', '/api/order', { orders: [], next: null })
})

afterEach(() => sessionStorage.clear())

const orderOf = (client: typeof koval, given: Parameters<typeof order>[0] = {}) =>
  client.id === lys.id
    ? order({ id: 'order-2', number: '100043', client: lys, items: [orderItem({ id: 'item-2' })], ...given })
    : order(given)

/** Answers each order with the status of its client. */
function answerOrders(statuses: {
  readonly koval: 'paid' | 'failed' | 'in_progress'
  readonly lys: 'paid' | 'failed'
}) {
  answer('post', '/api/order/create', ({ body }) => {
    const { client_id: id } = body as { client_id: string }
    return {
      order: summaryOf(
        id === lys.id ? orderOf(lys, { status: statuses.lys }) : orderOf(koval, { status: statuses.koval }),
      ),
    }
  })
  answer('get', '/api/order/{id}', () => ({ order: orderOf(koval, { status: statuses.koval }) }))
}

/** The names of the buttons that look like the main one. */
const mainButtons = () =>
  screen
    .getAllByRole('button')
    .filter((button) => button.classList.contains('bg-seal'))
    .map((button) => button.textContent.replaceAll('\u00a0', ' '))

const created = () =>
  callsOf('/api/order/create').map(({ body }) => (body as { readonly client_id: string }).client_id)

async function open() {
  const page = await renderRoute('/cart')
  await page.user.click(await screen.findByRole('button', { name: /^Сплатити за всіх: 700,00\sгрн$/u }))
  return { ...page, dialog: within(await screen.findByRole('dialog', { name: 'Сплатити за всіх' })) }
}

async function agreeAndPay({ user, dialog }: Pick<Awaited<ReturnType<typeof open>>, 'user' | 'dialog'>) {
  await user.click(await dialog.findByRole('checkbox'))
  await user.click(dialog.getByRole('button', { name: /^Сплатити/u }))
}

describe('paying several clients', () => {
  it('makes an order for each, one after the other, with one card and one agreement', async () => {
    answerOrders({ koval: 'paid', lys: 'paid' })
    const page = await open()
    const { dialog, user } = page
    expect(await dialog.findByRole('radio', { name: /Visa/u })).toBeChecked()
    // The card that paid last is chosen, so the agreement is what is left to do.
    await waitFor(() => expect(dialog.getByRole('checkbox')).toHaveFocus())
    expect(dialog.getByRole('button', { name: /^Сплатити 700/u })).toHaveAccessibleDescription(
      'Оплата: Visa 4242 Погодьтеся з умовами оферти',
    )
    // Named beside Pay, wherever the list of the cards is.
    expect(dialog.getByRole('checkbox').closest('.dialog-foot')).toHaveTextContent('Оплата: Visa •••• 4242')
    await agreeAndPay(page)
    await waitFor(() => expect(dialog.getAllByText(/^Сплачено\./u)).toHaveLength(2))
    expect(dialog.getByRole('link', { name: 'Замовлення № 100042' })).toBeVisible()
    expect(dialog.getByRole('link', { name: 'Замовлення № 100043' })).toBeVisible()
    expect(created()).toEqual([koval.id, lys.id])
    const keys = callsOf('/api/order/create').map(({ headers }) => headers.get('idempotency-key'))
    expect(new Set(keys).size).toBe(2)
    // The pressed button is gone.
    await waitFor(() => expect(dialog.getByRole('link', { name: 'До архіву' })).toHaveFocus())
    // The receipts of all are one press away, in one document.
    refuse('post', '/api/order/receipts', 503, { message: 'internal_error' })
    await user.click(dialog.getByRole('button', { name: 'Квитанції 2 замовлень, один PDF' }))
    expect(await dialog.findByRole('alert')).toBeVisible()
    expect(callsOf('/api/order/receipts').at(-1)?.body).toEqual({
      order_ids: ['order-1', 'order-2'],
      receipt_type: 'payment',
    })
    answer('get', '/api/cart', cart())
    await user.click(dialog.getByRole('button', { name: 'Повернутися до кошика' }))
    expect(await screen.findByText('Кошик порожній')).toBeVisible()
    expect(sessionStorage.getItem('cabinet.pay-all')).toBeNull()
  })

  it('says of twenty-one clients that each gets an order', async () => {
    const [group] = cartOf('koval').groups
    const groups = Array.from({ length: 21 }, (_, index) => ({
      ...group!,
      client: { ...koval, id: `client-${index}` },
    }))
    answer('get', '/api/cart', { version: 1, items_count: 21, groups })
    const { user } = await renderRoute('/cart')
    await user.click(await screen.findByRole('button', { name: /^Сплатити за всіх/u }))
    expect(await screen.findByText('Для 21 клієнта – окремі замовлення, одне за одним.')).toBeVisible()
  })

  it('stops at a declined card, and the rest can go on with another', async () => {
    answerOrders({ koval: 'failed', lys: 'paid' })
    const page = await open()
    const { dialog, user } = page
    await agreeAndPay(page)
    expect(await dialog.findByText(/^Не сплачено, кошти не списано\./u)).toBeVisible()
    expect(created()).toEqual([koval.id])
    await user.click(dialog.getByRole('button', { name: /^Сплатити 350,00\sгрн$/u }))
    expect(await dialog.findByText(/^Сплачено\./u)).toBeVisible()
    expect(created()).toEqual([koval.id, lys.id])
  })

  it('stops at an unknown outcome and offers nothing more to pay', async () => {
    answerOrders({ koval: 'in_progress', lys: 'paid' })
    const page = await open()
    const { dialog } = page
    await agreeAndPay(page)
    expect(await dialog.findByText('Статус одного із замовлень ще невідомий')).toBeVisible()
    expect(dialog.getByText(/Не сплачуйте вдруге/u)).toBeVisible()
    expect(dialog.queryByRole('button', { name: /^Сплатити/u })).not.toBeInTheDocument()
    expect(created()).toEqual([koval.id])
  })

  it('stops at a lost answer', async () => {
    lose('post', '/api/order/create', 3)
    const page = await open()
    await agreeAndPay(page)
    expect(await page.dialog.findByText(/^Чи створено замовлення, ще невідомо/u)).toBeVisible()
    expect(page.dialog.queryByRole('button', { name: /^Сплатити/u })).not.toBeInTheDocument()
    expect(new Set(created())).toEqual(new Set([koval.id]))
  })

  it('says why the cabinet refused one, and that nothing was taken', async () => {
    refuse('post', '/api/order/create', 409, { message: 'price_changed' })
    const page = await open()
    await agreeAndPay(page)
    expect(await page.dialog.findByText(/^Замовлення не створено, кошти не списано\./u)).toBeVisible()
    expect(created()).toEqual([koval.id])
  })

  it('takes no earlier order for the one that it asked for', async () => {
    // The payments were deleted in another tab; the latest order of the client was paid last week.
    const earlier = order({ items: [orderItem({ id: 'item-of-last-week' })] })
    refuse('post', '/api/order/create', 409, { message: 'cart_already_ordered', order: summaryOf(earlier) })
    answer('get', '/api/order/{id}', { order: earlier })
    const page = await open()
    await agreeAndPay(page)
    expect(await page.dialog.findByText(/У кошику вже немає платежів цього клієнта/u)).toBeVisible()
    expect(page.dialog.queryByText(/^Сплачено\./u)).not.toBeInTheDocument()
    expect(created()).toEqual([koval.id])
  })

  it.each([
    ['is told as it stands', () => answer('get', '/api/order/{id}', { order: order() }), /^Сплачено\./u, 2],
    [
      'stops the rest where it can’t be read',
      () => refuse('get', '/api/order/{id}', 429, { message: 'too_many_requests' }),
      /Ці платежі вже оформлено іншим замовленням/u,
      1,
    ],
  ])('an order that another tab has made of the same payments %s', async (_, read, text, orders) => {
    answer('post', '/api/order/create', { order: summaryOf(orderOf(lys, { status: 'failed' })) })
    refuse(
      'post',
      '/api/order/create',
      409,
      { message: 'cart_already_ordered', order: summaryOf(order()) },
      { once: true },
    )
    read()
    const page = await open()
    await agreeAndPay(page)
    expect(await page.dialog.findByText(text)).toBeVisible()
    await waitFor(() => expect(created()).toHaveLength(orders))
  })

  it('survives a reload: outcomes are looked up, and the rest waits for a new agreement', async () => {
    const slow = gate()
    answer('post', '/api/order/create', async ({ body }) => {
      const { client_id: id } = body as { client_id: string }
      if (id === lys.id) await slow.passed
      return { order: summaryOf(orderOf(id === lys.id ? lys : koval)) }
    })
    const page = await open()
    await agreeAndPay(page)
    await waitFor(() => expect(created()).toEqual([koval.id, lys.id]))
    expect(sessionStorage.getItem('cabinet.pay-all')).not.toMatch(/Лис|Коваль|token|4242/u)

    // The page is reloaded before the second answer; the order was made all the same.
    cleanup()
    const second = orderOf(lys)
    answer('get', '/api/cart', cart())
    answer('get', '/api/order', { orders: [second], next: null })
    answer('get', '/api/order/{id}', ({ params }) => ({
      order: params['id'] === 'order-2' ? second : orderOf(koval),
    }))
    await renderRoute('/cart')
    const dialog = within(await screen.findByRole('dialog', { name: 'Сплатити за всіх' }))
    await waitFor(() => expect(dialog.getAllByText(/^Сплачено\./u)).toHaveLength(2))
    expect(dialog.getByText(/Лис Ганна Іванівна/u)).toBeVisible()
    expect(dialog.queryByRole('button', { name: /^Сплатити/u })).not.toBeInTheDocument()
    expect(created()).toEqual([koval.id, lys.id])
  })

  it.each([
    ['refunded', { status: 'refunded' }, /^Платіж скасовано, кошти повернено/u, true],
    [
      'not found in the bank’s statement',
      { status: 'failed', failure: 'payment_no_trace' },
      /перевірте рахунок картки/u,
      false,
    ],
    ['under review', { status: 'failed', payment_state: 'under_review' }, /Не сплачуйте вдруге/u, false],
    [
      'declined on a page that is still open',
      { status: 'failed', payment_state: 'declined_page_open' },
      /Не сплачуйте вдруге/u,
      false,
    ],
    ['declined', { status: 'failed' }, /^Не сплачено, кошти не списано\./u, true],
  ] as const)(
    'after a reload says of an order that is %s only what is certain',
    async (_, given, text, goesOn) => {
      const kept = [
        { clientId: koval.id, contents: 'item-1*1', orderId: 'order-1' },
        { clientId: lys.id, contents: 'item-2*1', orderId: null },
      ]
      sessionStorage.setItem('cabinet.pay-all', JSON.stringify({ notaryId: olena.id, typed: kept }))
      answer('get', '/api/cart', cartOf('lys'))
      answer('get', '/api/order/{id}', { order: order(given) })
      await renderRoute('/cart')
      const dialog = within(await screen.findByRole('dialog', { name: 'Сплатити за всіх' }))
      expect(await dialog.findByText(text)).toBeVisible()
      expect(dialog.queryByText(/кошти не списано/u) !== null).toBe(given.status === 'failed' && goesOn)
      expect(dialog.queryByRole('button', { name: /^Сплатити/u }) !== null).toBe(goesOn)
    },
  )

  it('charges nobody more once the notary has left, and shows on return who is not paid', async () => {
    const slow = gate()
    const anna = { id: 'client-3', inn: '3456789012', full_name: 'Заєць Анна Іванівна' }
    const item3 = cartItem({ id: 'item-3' })
    const three = cartOf('koval', 'lys')
    const third = { ...three.groups[0]!, client: anna, items: [item3] }
    answer('get', '/api/cart', { ...three, items_count: 3, groups: [...three.groups, third] })
    answer('post', '/api/order/create', async ({ body }) => {
      const { client_id: id } = body as { client_id: string }
      if (id === lys.id) await slow.passed
      return { order: summaryOf(orderOf(id === lys.id ? lys : koval)) }
    })
    const { user, go, address } = await renderRoute('/cart')
    await user.click(await screen.findByRole('button', { name: /^Сплатити за всіх/u }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Сплатити за всіх' }))
    await agreeAndPay({ user, dialog })
    await waitFor(() => expect(created()).toEqual([koval.id, lys.id]))

    await go('/archive')
    expect(address()).toBe('/archive')
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    answer('get', '/api/cart', { version: 1, items_count: 1, groups: [third] })
    answer('get', '/api/order', { orders: [orderOf(lys), orderOf(koval)], next: null })
    answer('get', '/api/order/{id}', ({ params }) => ({
      order: orderOf(params['id'] === 'order-2' ? lys : koval),
    }))
    slow.open()
    // Past the moment at which the third order would be made.
    await answersArrived()
    expect(created()).toEqual([koval.id, lys.id])

    await go('/cart')
    const again = within(await screen.findByRole('dialog', { name: 'Сплатити за всіх' }))
    await waitFor(() => expect(again.getAllByText(/^Сплачено\./u)).toHaveLength(2))
    expect(again.getByText(/Заєць Анна Іванівна/u)).toBeVisible()
    expect(again.getByRole('button', { name: /^Сплатити 350,00\sгрн$/u })).toHaveAccessibleDescription(
      'Оплата: Visa 4242 Погодьтеся з умовами оферти',
    )
    expect(created()).toEqual([koval.id, lys.id])
  })

  it('is the main thing to do', async () => {
    await renderRoute('/cart')
    expect(await screen.findByText('Разом за 2 клієнтів')).toBeVisible()
    expect(mainButtons()).toEqual(['Сплатити за всіх: 700,00 грн'])
  })

  it('is not the main thing to do while the payments of one must be mended', async () => {
    const price = { amount: 350, commission: 20, sum: 370 }
    const dearer = { ...item2, change: { message: 'price_changed' as const, price } }
    const both = cartOf('koval', 'lys')
    const groups = both.groups.map((group) =>
      group.client.id === lys.id ? { ...group, items: [dearer] } : group,
    )
    answer('get', '/api/cart', { ...both, groups })
    await renderRoute('/cart')
    expect(await screen.findByRole('button', { name: /^Сплатити за всіх/u })).toHaveAccessibleDescription(
      'Спершу виправте або видаліть платежі з позначкою',
    )
    expect(mainButtons()).toEqual([`Сплатити 350,00 грн – ${koval.full_name}`, 'Прийняти 370,00 грн'])
  })

  it('is not the main thing to do once it is known that no card is saved', async () => {
    answer('get', '/api/order/token/get-all-tokens-by-phone', { tokens: [], last_used: null })
    const { dialog, user } = await open()
    expect(await dialog.findByText('Збережених карток ще немає')).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Повернутися до кошика' }))
    expect(mainButtons()).toEqual([
      `Сплатити 350,00 грн – ${koval.full_name}`,
      `Сплатити 350,00 грн – ${lys.full_name}`,
    ])
  })

  it('is offered only where saved cards are', async () => {
    await renderRoute('/cart', { notary: { ...olena, new_flow_enabled: false } })
    expect(await screen.findByText('Разом за 2 клієнтів')).toBeVisible()
    expect(screen.queryByRole('button', { name: /^Сплатити за всіх/u })).not.toBeInTheDocument()
  })
})

describe('after one client was paid by a saved card', () => {
  it('the cart follows after the redirecting state, while others wait there, with the paid order and its receipts', async () => {
    const moment = gate()
    vi.mocked(wait).mockReturnValue(moment.passed)
    answer('post', '/api/order/create', () => {
      answer('get', '/api/cart', cartOf('lys'))
      return { order: summaryOf(orderOf(koval)) }
    })
    const { user, address } = await renderRoute('/cart')
    await user.click(await screen.findByRole('button', { name: /^Сплатити .* – Коваль/u }))
    const popup = within(await screen.findByRole('dialog', { name: 'Спосіб оплати' }))
    await user.click(popup.getByRole('checkbox'))
    await user.click(popup.getByRole('button', { name: /^Сплатити/u }))
    expect(await screen.findByText('Платіж прийнято, повертаємося до кошика…')).toBeVisible()
    expect(wait).toHaveBeenCalledExactlyOnceWith(3000)
    expect(screen.queryByText('Замовлення № 100042 оплачено')).not.toBeInTheDocument()
    moment.open()
    expect(await screen.findByText('Замовлення № 100042 оплачено')).toBeVisible()
    for (const receipt of ['Квитанція про сплату', 'Квитанція про комісію']) {
      expect(screen.getByRole('button', { name: receipt })).toBeVisible()
    }
    expect(address()).toBe('/cart')
    await waitFor(() => expect(screen.getByRole('heading', { name: 'Кошик' })).toHaveFocus())
    expect(screen.getByRole('button', { name: /^Сплатити .* – Лис/u })).toBeVisible()
    expect(screen.queryByRole('button', { name: /^Сплатити .* – Коваль/u })).not.toBeInTheDocument()
  })

  it('the redirecting state ends at once where the notary stays in the cart', async () => {
    vi.mocked(wait).mockReturnValue(gate().passed)
    answer('post', '/api/order/create', () => {
      answer('get', '/api/cart', cartOf('lys'))
      return { order: summaryOf(orderOf(koval)) }
    })
    const { user } = await renderRoute('/cart')
    await user.click(await screen.findByRole('button', { name: /^Сплатити .* – Коваль/u }))
    const popup = within(await screen.findByRole('dialog', { name: 'Спосіб оплати' }))
    await user.click(popup.getByRole('checkbox'))
    await user.click(popup.getByRole('button', { name: /^Сплатити/u }))
    await user.click(await screen.findByRole('button', { name: 'Залишитися в кошику' }))
    expect(await screen.findByText('Замовлення № 100042 оплачено')).toBeVisible()
    expect(screen.queryByText('Платіж прийнято, повертаємося до кошика…')).not.toBeInTheDocument()
  })
})
