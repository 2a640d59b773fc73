import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'

import type { OrderStatus } from '@/api/orders'
import { saveFile } from '@/lib/download'
import { leavePage } from '@/lib/leave-page'
import { wait } from '@/lib/wait'
import { gate } from '@/testing/gate'
import { renderRoute } from '@/testing/render-route'
import { order } from '@/testing/samples'
import { answer, answerBytes, callsOf, refuse, startServer } from '@/testing/server'

vi.mock('@/lib/wait', () => ({ wait: vi.fn<(milliseconds: number) => Promise<void>>() }))
vi.mock('@/lib/leave-page', () => ({ leavePage: vi.fn<(address: string) => void>() }))
vi.mock('@/lib/download', () => ({ saveFile: vi.fn<(bytes: Blob, fileName: string) => void>() }))

startServer()

beforeEach(() => {
  vi.mocked(wait).mockResolvedValue()
  answer('get', '/api/order', { orders: [], next: null })
})

/** Answers the order's statuses one after the other; the last one holds. */
function answerStatuses(...statuses: readonly OrderStatus[]): void {
  let asked = 0
  answer('get', '/api/order/{id}', () => {
    const status = statuses[Math.min(asked, statuses.length - 1)] ?? 'paid'
    asked += 1
    return { order: order({ status }) }
  })
}

/** A tab of the browser, as far as the page may touch it. */
const tab = () => ({
  opener: window as Window | null,
  location: { replace: vi.fn<(url: string) => void>() },
  close: vi.fn<() => void>(),
})

describe('the status page', () => {
  it.each<[OrderStatus[], string]>([
    [['paid'], '/order/order-1/success'],
    [['failed'], '/order/order-1/error'],
    [['expired'], '/order/order-1/error'],
    [['refunded'], '/order/order-1/error'],
    [['pending', 'paid'], '/order/order-1/success'],
    [['pending', 'pending'], '/order/order-1/pending'],
    [['pending', 'failed'], '/order/order-1/error'],
    [['in_progress', 'paid'], '/order/order-1/success'],
    [['in_progress', 'in_progress'], '/order/order-1/pending'],
  ])('leads %j to %s', async (statuses, path) => {
    answerStatuses(...statuses)
    const { address } = await renderRoute('/order/order-1/payment-status')
    await waitFor(() => expect(address()).toBe(path))
    expect(await screen.findByText('Замовлення № 100042')).toBeVisible()
    expect(vi.mocked(wait).mock.calls).toEqual(statuses.length > 1 ? [[5000]] : [])
    expect(callsOf('/api/order/{id}').every(({ query }) => query['update_status'] === '1')).toBe(true)
  })

  it('shows that it is looking and warns against paying twice', async () => {
    vi.mocked(wait).mockReturnValue(gate().passed)
    answerStatuses('pending')
    await renderRoute('/order/order-1/payment-status')
    expect(await screen.findByRole('heading', { name: 'Перевіряємо оплату…' })).toBeVisible()
    expect(screen.getByText(/Не сплачуйте вдруге/u)).toBeVisible()
  })

  it('leads to the archive where the order does not load, and says so', async () => {
    refuse('get', '/api/order/{id}', 404, { message: 'not_found' })
    const { address } = await renderRoute('/order/order-1/payment-status')
    await waitFor(() => expect(address()).toBe('/archive'))
    expect(await screen.findByText(/Стан замовлення дізнатися не вдалося/u)).toBeVisible()
  })
})

describe('a result page', () => {
  it.each<[string, OrderStatus, string]>([
    ['success', 'failed', 'Помилка оплати'],
    ['success', 'in_progress', 'Оплата обробляється'],
    ['error', 'paid', 'Оплата успішна!'],
    ['pending', 'refunded', 'Гроші повернуто'],
  ])('%s of an order that is %s shows “%s”', async (page, status, heading) => {
    answerStatuses(status)
    await renderRoute(`/order/order-1/${page}`)
    expect(await screen.findByRole('heading', { name: heading })).toBeVisible()
  })

  it('of an unknown order is not found', async () => {
    refuse('get', '/api/order/{id}', 404, { message: 'not_found' })
    await renderRoute('/order/nobody/success')
    expect(await screen.findByRole('heading', { name: /не знайдено|немає/u })).toBeVisible()
  })
})

describe('a paid order', () => {
  it('shows its number, sum and card', async () => {
    answerStatuses('paid')
    await renderRoute('/order/order-1/success')
    expect(await screen.findByText('Замовлення № 100042')).toBeVisible()
    expect(screen.getByText('424242******4242')).toBeVisible()
    expect(screen.getByText('Коваль Петро Олексійович', { exact: false })).toBeVisible()
  })

  it.each([
    ['Квитанція про платіж', 'payment', 'Receipt-order-1-payment.pdf'],
    ['Квитанція про комісію', 'commission', 'Receipt-order-1-commission.pdf'],
  ])('gives the %s with the bearer token and its name', async (button, type, fileName) => {
    answerStatuses('paid')
    answerBytes('get', '/api/order/{id}/receipt', 'application/pdf')
    const { user } = await renderRoute('/order/order-1/success')
    await user.click(await screen.findByRole('button', { name: button }))
    await waitFor(() => expect(saveFile).toHaveBeenCalledExactlyOnceWith(expect.any(Blob), fileName))
    const [call] = callsOf('/api/order/{id}/receipt')
    expect(call?.query).toEqual({ receipt_type: type })
    expect(call?.headers.get('authorization')).toBe('Bearer token')
  })

  it('says why a receipt is not there', async () => {
    answerStatuses('paid')
    refuse('get', '/api/order/{id}/receipt', 409, { message: 'receipt_not_available' })
    const { user } = await renderRoute('/order/order-1/success')
    await user.click(await screen.findByRole('button', { name: 'Квитанція про платіж' }))
    expect(await screen.findByText('Квитанція ще не готова. Спробуйте за хвилину')).toBeVisible()
    expect(saveFile).not.toHaveBeenCalled()
  })
})

describe('an unpaid order', () => {
  it('says that no money was taken and why', async () => {
    answer('get', '/api/order/{id}', {
      order: order({ status: 'failed', failure: 'payment_insufficient_funds' }),
    })
    await renderRoute('/order/order-1/error')
    expect(await screen.findByText('Гроші не списано')).toBeVisible()
    expect(screen.getByText('На картці недостатньо грошей')).toBeVisible()
    expect(screen.getByText(/Перевірте реквізити та спробуйте ще раз/u)).toBeVisible()
  })

  it('is paid again by a fresh link in a tab that was opened by the click itself', async () => {
    const link = gate()
    const opened = tab()
    const open = vi.spyOn(window, 'open').mockReturnValue(opened as unknown as Window)
    answerStatuses('failed', 'pending')
    answer('get', '/api/order/{id}/update/pay-link', async () => {
      await link.passed
      return { widget_url: 'https://bank.example/fresh' }
    })
    const { user, address } = await renderRoute('/order/order-1/error')
    await user.click(await screen.findByRole('button', { name: 'Повернутися до оплати' }))
    expect(open).toHaveBeenCalledExactlyOnceWith('', '_blank')
    expect(opened.opener).toBeNull()
    link.open()
    await waitFor(() =>
      expect(opened.location.replace).toHaveBeenCalledExactlyOnceWith('https://bank.example/fresh'),
    )
    await waitFor(() => expect(address()).toBe('/order/order-1/pending'))
  })

  it('closes the tab where there is no link', async () => {
    const opened = tab()
    vi.spyOn(window, 'open').mockReturnValue(opened as unknown as Window)
    answerStatuses('failed')
    refuse('get', '/api/order/{id}/update/pay-link', 409, { message: 'order_not_payable' })
    const { user } = await renderRoute('/order/order-1/error')
    await user.click(await screen.findByRole('button', { name: 'Повернутися до оплати' }))
    expect(await screen.findByText('Це замовлення вже не можна оплатити')).toBeVisible()
    expect(opened.close).toHaveBeenCalledOnce()
  })

  it('goes to the bank in this tab where the browser opens no other', async () => {
    vi.spyOn(window, 'open').mockReturnValue(null)
    answerStatuses('expired', 'pending')
    answer('get', '/api/order/{id}/update/pay-link', { widget_url: 'https://bank.example/fresh' })
    const { user } = await renderRoute('/order/order-1/error')
    await user.click(await screen.findByRole('button', { name: 'Повернутися до оплати' }))
    await waitFor(() => expect(leavePage).toHaveBeenCalledExactlyOnceWith('https://bank.example/fresh'))
  })
})

describe('a pending order', () => {
  it('asks again by itself and leads to the result', async () => {
    vi.useFakeTimers({
      shouldAdvanceTime: true,
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
    })
    answerStatuses('pending', 'pending', 'paid')
    const { address } = await renderRoute('/order/order-1/pending')
    expect(await screen.findByText('Не сплачуйте вдруге')).toBeVisible()
    await vi.advanceTimersByTimeAsync(15_000)
    await waitFor(() => expect(address()).toBe('/order/order-1/success'))
    vi.useRealTimers()
  })

  it('offers the way back to the same bank’s page, but to nothing else', async () => {
    answer('get', '/api/order/{id}', {
      order: order({ status: 'pending', widget_url: 'https://bank.example/invoice/1' }),
    })
    await renderRoute('/order/order-1/pending')
    expect(await screen.findByRole('link', { name: 'поверніться до неї' })).toHaveAttribute(
      'href',
      'https://bank.example/invoice/1',
    )
    expect(screen.queryByRole('button', { name: /Сплатити/u })).not.toBeInTheDocument()
  })
})
