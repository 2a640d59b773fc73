import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import type { MadeClientLink } from '@/api/client-link'
import { loadSendMade } from '@/forms/client-link/load'
import { wait } from '@/lib/wait'
import { renderRoute } from '@/testing/render-route'
import { cart, cartItem, koval, order, orderDetails, orderItem, summaryOf } from '@/testing/samples'
import { answer, callsOf, lose, refuse, startServer } from '@/testing/server'

vi.mock('@/lib/wait', () => ({ wait: vi.fn<(milliseconds: number) => Promise<void>>() }))

startServer()

const CREATE = '/api/order/create'
const LINK = '/api/order/{id}/client-link'
const URL_OF_LINK = 'https://cabinet.example/pay/abcdefghijklmnopqrstuvwx'

const link: MadeClientLink['link'] = {
  state: 'open',
  made_at: '2026-11-19T14:05:09Z',
  ends_at: '2026-11-22T14:05:09Z',
  opened_at: null,
  sent_at: null,
  sendings_left: 5,
  hours_max: 72,
  letters: false,
  receipt_mail: null,
  receipt_mail_refused: null,
}

const made: MadeClientLink = {
  url: URL_OF_LINK,
  picture: { link: URL_OF_LINK, side: 29, path: 'M0 0h7v1h-7z', sign_across: 0 },
  token: 'abcdefghijklmnopqrstuvwx',
  link,
}

// It is loaded once a link is made, which takes longer than a test waits on a busy machine.
beforeAll(async () => {
  await loadSendMade()
})

beforeEach(() => {
  vi.mocked(wait).mockResolvedValue()
  answer('get', '/api/cart', cart(cartItem()))
  answer('get', '/api/order', { orders: [], next: null })
  answer('get', '/api/order/{id}/details', orderDetails())
  answer('post', CREATE, () => {
    answer('get', '/api/cart', cart())
    return { order: summaryOf(order({ status: 'pending', widget_url: 'https://bank.example/invoice/1' })) }
  })
  answer('post', LINK, made)
})

afterEach(() => {
  sessionStorage.clear()
  vi.unstubAllGlobals()
})

const shown = () => screen.getByRole('dialog', { name: 'Посилання для клієнта' })

/** The first press: what the link means. */
async function open() {
  const rendered = await renderRoute('/cart')
  await rendered.user.click(
    await screen.findByRole('button', { name: `Клієнт платить сам: ${koval.full_name}` }),
  )
  const dialog = within(await screen.findByRole('dialog', { name: 'Посилання для клієнта' }))
  const press = () => rendered.user.click(dialog.getByRole('button', { name: 'Створити посилання' }))
  return { ...rendered, dialog, press }
}

it('gives the client’s link and its QR code by two presses, and leads nobody to the bank’s page', async () => {
  const { dialog, press, address, user } = await open()
  expect(callsOf(CREATE)).toHaveLength(0)
  await waitFor(() => expect(dialog.getByRole('button', { name: 'Створити посилання' })).toHaveFocus())
  await press()
  expect(await dialog.findByLabelText('Адреса посилання')).toHaveValue(URL_OF_LINK)
  const code = dialog.getByRole('img', { name: 'QR-код посилання' })
  expect(code).toBeVisible()
  expect(code).not.toHaveTextContent('₴')
  expect(callsOf(CREATE).map(({ body }) => body)).toEqual([{ client_id: koval.id, locale: 'uk', sum: 350 }])
  expect(callsOf(LINK)).toHaveLength(1)
  expect(address()).toBe('/cart')
  expect(await screen.findByText('Кошик порожній')).toBeInTheDocument()
  await waitFor(() => expect(dialog.getByRole('button', { name: 'Готово' })).toHaveFocus())
  await user.click(dialog.getByRole('button', { name: 'Скопіювати' }))
  expect(await navigator.clipboard.readText()).toBe(URL_OF_LINK)
})

it('sends the link from where it was made', async () => {
  answer('post', `${LINK}/send`, { ...link, sent_at: '2026-11-19T14:06:09Z', sendings_left: 4 })
  const { dialog, press, user } = await open()
  await press()
  await user.type(await dialog.findByLabelText('Телефон клієнта'), '501234567')
  await user.click(dialog.getByRole('button', { name: 'Надіслати SMS' }))
  // At the field and its button: what follows them is out of sight.
  await waitFor(() =>
    expect(dialog.getByLabelText('Телефон клієнта')).toHaveAccessibleDescription('Надіслано'),
  )
  expect(dialog.getAllByText('Надіслано')).toHaveLength(1)
  expect(callsOf(`${LINK}/send`).map(({ body }) => body)).toEqual([
    { token: made.token, phone: '+38 (050) 123-45-67' },
  ])
})

it('opens the share sheet of a phone, and keeps the address where it is closed', async () => {
  const share = vi
    .fn<(data: ShareData) => Promise<void>>()
    .mockRejectedValue(new DOMException('', 'AbortError'))
  vi.stubGlobal('navigator', Object.assign(navigator, { share }))
  vi.stubGlobal('matchMedia', () => ({
    matches: true,
    addEventListener: () => {},
    removeEventListener: () => {},
  }))
  const { dialog, press, user } = await open()
  await press()
  expect(await dialog.findByLabelText('Адреса посилання')).toHaveValue(URL_OF_LINK)
  expect(share.mock.calls).toEqual([[{ url: URL_OF_LINK }]])
  await user.click(dialog.getByRole('button', { name: 'Поділитися' }))
  expect(share).toHaveBeenCalledTimes(2)
  Reflect.deleteProperty(navigator, 'share')
})

it('makes one order where the answer is lost, and its link', async () => {
  lose('post', CREATE, 1)
  const { dialog, press } = await open()
  await press()
  expect(await dialog.findByLabelText('Адреса посилання')).toBeVisible()
  const keys = callsOf(CREATE).map(({ headers }) => headers.get('idempotency-key'))
  expect(keys).toHaveLength(2)
  expect(new Set(keys).size).toBe(1)
})

it('of an order without a link says so, leads to it, and makes no second order', async () => {
  refuse('post', LINK, 409, { message: 'order_not_payable' })
  const { dialog, press } = await open()
  await press()
  expect(await dialog.findByRole('alert')).toHaveTextContent('Замовлення створено, а посилання – ні')
  expect(dialog.getByRole('link', { name: 'Відкрити замовлення' })).toHaveAttribute('href', '/order/order-1')
  answer('post', LINK, made)
  await press()
  expect(await dialog.findByLabelText('Адреса посилання')).toHaveValue(URL_OF_LINK)
  expect(callsOf(CREATE)).toHaveLength(1)
})

it('of a refused order says that nothing was made', async () => {
  refuse('post', CREATE, 409, { message: 'cart_item_changed' })
  const { dialog, press } = await open()
  await press()
  expect(await dialog.findByRole('alert')).toHaveTextContent('Замовлення не створено, кошти не списано')
  await waitFor(() => expect(callsOf('/api/cart').length).toBeGreaterThan(1))
  expect(callsOf(LINK)).toHaveLength(0)
})

/** The other window had two of the payment. */
function ordered(given: Parameters<typeof order>[0]) {
  const existing = order({ items: [orderItem({ count: 2, sum_total: 700 })], ...given })
  refuse('post', CREATE, 409, { message: 'cart_already_ordered', order: summaryOf(existing) })
  answer('get', '/api/order/{id}', { order: existing })
}

describe('payments that another window has ordered', () => {
  it('are told with the sum of their order, whose link is replaced only by another press', async () => {
    ordered({ status: 'pending' })
    const { dialog, press } = await open()
    expect(shown()).toHaveTextContent('350,00')
    await press()
    const told = await dialog.findByRole('alert')
    expect(told).toHaveTextContent('Ці платежі вже оформлено іншим замовленням')
    expect(told).toHaveTextContent('Замовлення № 100042. Якщо для нього вже є посилання, нове його замінить.')
    expect(shown()).toHaveTextContent('700,00')
    expect(shown()).not.toHaveTextContent('350,00')
    expect(callsOf(LINK)).toHaveLength(0)
    await press()
    expect(await dialog.findByLabelText('Адреса посилання')).toHaveValue(URL_OF_LINK)
    expect(shown()).toHaveTextContent('700,00')
    expect(callsOf(CREATE)).toHaveLength(1)
  })

  it.each([
    ['in_progress', 'Платіж обробляється. Не сплачуйте вдруге'],
    ['paid', 'Це замовлення вже не можна оплатити'],
  ] as const)('get no link while nobody may pay: %s', async (status, text) => {
    ordered({ status })
    const { dialog, press } = await open()
    await press()
    expect(await dialog.findByRole('alert')).toHaveTextContent(text)
    expect(dialog.queryByRole('button', { name: 'Створити посилання' })).toBeNull()
    const way = dialog.getByRole('link', { name: 'Відкрити замовлення' })
    expect(way).toHaveAttribute('href', '/order/order-1')
    await waitFor(() => expect(way).toHaveFocus())
  })

  it('get no link where nobody knows their order, and the focus stays in the dialog', async () => {
    refuse('post', CREATE, 409, { message: 'cart_group_empty' })
    const { dialog, press } = await open()
    await press()
    expect(await dialog.findByRole('link', { name: 'До архіву' })).toBeVisible()
    expect(dialog.queryByRole('button', { name: 'Створити посилання' })).toBeNull()
    await waitFor(() => expect(dialog.getByRole('button', { name: 'Скасувати' })).toHaveFocus())
  })
})

it('of a sum that is no longer the cart’s shows the right one before the next press', async () => {
  refuse('post', CREATE, 409, { message: 'price_changed' }, { once: true })
  const { dialog, press } = await open()
  answer('get', '/api/cart', cart(cartItem({ count: 2, sum_total: 700 })))
  await press()
  expect(await dialog.findByRole('alert')).toHaveTextContent('Сума до сплати змінилася')
  await waitFor(() => expect(shown()).toHaveTextContent('700,00'))
  await press()
  expect(await dialog.findByLabelText('Адреса посилання')).toHaveValue(URL_OF_LINK)
  expect(callsOf(CREATE).map(({ body }) => body)).toMatchObject([{ sum: 350 }, { sum: 700 }])
})
