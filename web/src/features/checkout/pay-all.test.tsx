import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { wait } from '@/lib/wait'
import { gate } from '@/testing/gate'
import { renderRoute } from '@/testing/render-route'
import { cart, cartItem, koval, olena, order, orderItem, summaryOf } from '@/testing/samples'
import { answer, callsOf, lose, refuse, startServer } from '@/testing/server'

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

const created = () =>
  callsOf('/api/order/create').map(({ body }) => (body as { readonly client_id: string }).client_id)

async function open() {
  const page = await renderRoute('/cart')
  await page.user.click(await screen.findByRole('button', { name: /^Сплатити за всіх: 700,00\sгрн$/u }))
  return { ...page, dialog: within(await screen.findByRole('dialog', { name: 'Сплатити за всіх' })) }
}

async function agreeAndPay({ user, dialog }: Awaited<ReturnType<typeof open>>) {
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
    expect(dialog.getByRole('checkbox')).toHaveFocus()
    expect(dialog.getByRole('button', { name: /^Сплатити 700/u })).toHaveAccessibleDescription(
      'Погодьтеся з умовами оферти',
    )
    await agreeAndPay(page)
    await waitFor(() => expect(dialog.getAllByText(/^Сплачено\./u)).toHaveLength(2))
    expect(dialog.getByRole('link', { name: 'Замовлення № 100042' })).toBeVisible()
    expect(dialog.getByRole('link', { name: 'Замовлення № 100043' })).toBeVisible()
    expect(created()).toEqual([koval.id, lys.id])
    const keys = callsOf('/api/order/create').map(({ headers }) => headers.get('idempotency-key'))
    expect(new Set(keys).size).toBe(2)
    // The pressed button is gone.
    await waitFor(() => expect(dialog.getByRole('link', { name: 'До архіву' })).toHaveFocus())
    answer('get', '/api/cart', cart())
    await user.click(dialog.getByRole('button', { name: 'Повернутися до кошика' }))
    expect(await screen.findByText('Кошик порожній')).toBeVisible()
    expect(sessionStorage.getItem('cabinet.pay-all')).toBeNull()
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

  it('is offered only where saved cards are', async () => {
    await renderRoute('/cart', { notary: { ...olena, new_flow_enabled: false } })
    expect(await screen.findByText('Разом за 2 клієнтів')).toBeVisible()
    expect(screen.queryByRole('button', { name: /^Сплатити за всіх/u })).not.toBeInTheDocument()
  })
})

describe('after one client was paid by a saved card', () => {
  it('the cart stays, while others wait there, and says what was paid', async () => {
    answer('post', '/api/order/create', () => {
      answer('get', '/api/cart', cartOf('lys'))
      return { order: summaryOf(orderOf(koval)) }
    })
    const { user, address } = await renderRoute('/cart')
    await user.click(await screen.findByRole('button', { name: /^Сплатити .* – Коваль/u }))
    const popup = within(await screen.findByRole('dialog', { name: 'Спосіб оплати' }))
    await user.click(popup.getByRole('checkbox'))
    await user.click(popup.getByRole('button', { name: /^Сплатити/u }))
    expect(await screen.findByText('Замовлення № 100042 сплачено')).toBeVisible()
    expect(address()).toBe('/cart')
    expect(screen.getByRole('heading', { name: 'Кошик' })).toHaveFocus()
    expect(screen.getByRole('button', { name: /^Сплатити .* – Лис/u })).toBeVisible()
    expect(screen.queryByRole('button', { name: /^Сплатити .* – Коваль/u })).not.toBeInTheDocument()
  })
})
