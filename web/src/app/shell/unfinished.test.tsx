import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { UnfinishedOrder } from '@/api/orders'
import { takeNews } from './live-updates'
import { renderRoute } from '@/testing/render-route'
import { cart, order } from '@/testing/samples'
import { answer, callsOf, refuse, startServer } from '@/testing/server'

startServer()

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2026-11-20T12:00:00Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

function unfinished(given: Partial<UnfinishedOrder> = {}): UnfinishedOrder {
  return {
    id: 'order-1',
    number: '100042',
    client_full_name: 'Коваль Петро Олексійович',
    status: 'pending',
    payment_state: 'waiting',
    sum: 350,
    open_until: '2026-11-20T14:07:00Z',
    ...given,
  }
}

const declined = unfinished({
  id: 'order-2',
  number: '100043',
  client_full_name: 'Лис Ганна Іванівна',
  status: 'failed',
  payment_state: 'declined',
  open_until: null,
})
const late = unfinished({ ...declined, id: 'order-3', number: '100044', status: 'expired' })

const line = () => screen.findByRole('region', { name: 'Потребує вас' })

describe('unfinished orders', () => {
  it('stand above an empty cart, which says where the payments are, and each leads to its order', async () => {
    answer('get', '/api/cart', cart())
    await renderRoute('/cart', { unfinished: [unfinished(), declined] })
    const region = within(await line())
    expect(region.getByRole('link', { name: '1 очікує оплати до 16:07' })).toHaveAttribute(
      'href',
      '/order/order-1',
    )
    expect(region.getByRole('link', { name: '1 не сплачено' })).toHaveAttribute('href', '/order/order-2')
    expect(screen.getByText('Передане до оплати вже не в кошику. Незавершених замовлень: 2.')).toBeVisible()
  })

  it('are counted beside the archive where they need her, and its link keeps its name', async () => {
    answer('get', '/api/cart', cart())
    const unknown = unfinished({ id: 'order-5', payment_state: 'unknown' })
    await renderRoute('/cart', { unfinished: [unfinished(), declined, late, unknown] })
    const sections = within(await screen.findByRole('navigation', { name: 'Розділи' }))
    expect(sections.getByRole('link', { name: 'Архів' })).toHaveAccessibleDescription('Потребують вас: 3')
  })

  it('are listed by client, sum and state where there are several of a kind', async () => {
    answer('get', '/api/cart', cart())
    const { user } = await renderRoute('/cart', { unfinished: [declined, late] })
    const button = within(await line()).getByRole('button', { name: '2 не сплачено' })
    expect(within(await line()).queryByRole('link')).toBeNull()
    await user.click(button)
    expect(button).toHaveAttribute('aria-expanded', 'true')
    const rows = within(await line()).getAllByRole('listitem')
    expect(rows.map((row) => row.textContent)).toEqual([
      expect.stringMatching(/^№ 100043Лис Ганна Іванівна350,00\sгрнНе сплачено$/u),
      expect.stringMatching(/^№ 100044Лис Ганна Іванівна350,00\sгрнСтрок минув$/u),
    ])
    expect(within(await line()).getByRole('link', { name: /100044/u })).toHaveAttribute(
      'href',
      '/order/order-3',
    )
    await user.click(button)
    expect(within(await line()).queryByRole('list')).toBeNull()
  })

  it('that may have taken the money already are processing: nothing is asked of the notary', async () => {
    answer('get', '/api/cart', cart())
    const unknown = unfinished({ id: 'order-5', number: '100045', payment_state: 'unknown' })
    const another = unfinished({ id: 'order-6', number: '100046', payment_state: 'unknown' })
    const { user } = await renderRoute('/cart', { unfinished: [unknown, another] })
    const bank = within(await screen.findByRole('region', { name: 'Чекаємо на банк' }))
    expect(screen.queryByRole('region', { name: 'Потребує вас' })).toBeNull()
    const sections = within(screen.getByRole('navigation', { name: 'Розділи' }))
    expect(sections.getByRole('link', { name: 'Архів' })).not.toHaveAccessibleDescription()
    await user.click(bank.getByRole('button', { name: '2 обробляються' }))
    const rows = bank.getAllByRole('listitem')
    expect(rows.map((row) => row.textContent)).toEqual([
      expect.stringMatching(/^№ 100045.*грнОбробляється$/u),
      expect.stringMatching(/^№ 100046.*грнОбробляється$/u),
    ])
    expect(bank.queryByText(/очіку/iu)).toBeNull()
  })

  it('that are under review ask her to call the support', async () => {
    answer('get', '/api/cart', cart())
    const doubted = unfinished({ id: 'order-6', number: '100046', payment_state: 'under_review' })
    await renderRoute('/cart', { unfinished: [doubted] })
    expect(within(await line()).getByRole('link', { name: /1 перевіряється/u })).toHaveAttribute(
      'href',
      '/order/order-6',
    )
    expect(screen.queryByRole('region', { name: 'Чекаємо на банк' })).toBeNull()
    const sections = within(screen.getByRole('navigation', { name: 'Розділи' }))
    expect(sections.getByRole('link', { name: 'Архів' })).toHaveAccessibleDescription('Потребують вас: 1')
  })

  it('name the day where the page does not close today, and the page that closes first', async () => {
    answer('get', '/api/cart', cart())
    const tomorrow = unfinished({ id: 'order-4', open_until: '2026-11-21T14:07:00Z' })
    const { user } = await renderRoute('/cart', { unfinished: [tomorrow, unfinished()] })
    const button = within(await line()).getByRole('button', {
      name: '2 очікують оплати, найближче – до 16:07',
    })
    await user.click(button)
    expect(within(await line()).getByText('Очікує оплати до 21.11.26, 16:07')).toBeVisible()
  })

  it('are read again at once when the news of an order comes', async () => {
    answer('get', '/api/cart', cart())
    answer('get', '/api/order/{id}', { order: order() })
    await renderRoute('/cart', { unfinished: [unfinished()] })
    await line()
    answer('get', '/api/order/unfinished', { orders: [] })
    act(() => takeNews({ order: { id: 'order-1', status: 'paid' } }))
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Потребує вас' })).toBeNull())
    expect(screen.getByText('Тут зберігаються платежі клієнтів до оплати.')).toBeVisible()
  })

  it('are not taken for none where they could not be loaded', async () => {
    answer('get', '/api/cart', cart())
    const { user } = await renderRoute('/cart', {
      unfinished: () => refuse('get', '/api/order/unfinished', 500, { message: 'internal_error' }),
    })
    expect(await screen.findByText('Чи є неоплачені замовлення, дізнатися не вдалося.')).toBeVisible()
    answer('get', '/api/order/unfinished', { orders: [declined] })
    await user.click(screen.getByRole('button', { name: 'Спробувати ще раз' }))
    expect(await line()).toBeVisible()
    expect(callsOf('/api/order/unfinished')).toHaveLength(2)
  })

  it('are told in English', async () => {
    answer('get', '/api/cart', cart())
    const unknown = unfinished({ id: 'order-5', payment_state: 'unknown' })
    await renderRoute('/cart', { locale: 'en', unfinished: [unfinished(), unknown, declined] })
    const region = within(await screen.findByRole('region', { name: 'Needs you' }))
    expect(region.getByRole('link', { name: '1 awaits payment until 16:07' })).toBeVisible()
    expect(region.getByRole('link', { name: '1 not paid' })).toBeVisible()
    const bank = within(screen.getByRole('region', { name: 'Waiting for the bank' }))
    expect(bank.getByRole('link', { name: '1 is being processed' })).toBeVisible()
  })
})
