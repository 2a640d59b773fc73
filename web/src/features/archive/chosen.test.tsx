import { fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'

import { saveFile } from '@/lib/download'
import { renderRoute } from '@/testing/render-route'
import { order } from '@/testing/samples'
import { answer, answerBytes, callsOf, refuse, startServer } from '@/testing/server'

vi.mock('@/lib/download', () => ({ saveFile: vi.fn<(bytes: Blob, fileName: string) => void>() }))

startServer()

const ARCHIVE = '/api/order/receipts/archive'
const numbers = ['100005', '100004', '100003', '100002', '100001']
const orders = numbers.map((number) =>
  order({ id: `id-${number}`, number, status: number === '100003' ? 'pending' : 'paid' }),
)
const box = (number: string) => screen.findByRole('checkbox', { name: `Вибрати замовлення № ${number}` })

describe('receipts of chosen orders', () => {
  it('are downloaded together, as a ZIP or as one PDF', async () => {
    answer('get', '/api/order', { orders, next: null })
    answerBytes('post', ARCHIVE, 'application/zip', 'Receipts-2026-11-24.zip')
    answerBytes('post', '/api/order/receipts', 'application/pdf', 'Receipts-2026-11-24.pdf')
    const { user } = await renderRoute('/archive')
    await user.click(await box('100005'))
    await user.click(await box('100001'))
    expect(await screen.findByText('Вибрано 2 замовлення')).toBeVisible()
    const menu = screen.getByRole('button', { name: 'Квитанції вибраних замовлень' })
    await user.click(menu)
    await user.click(screen.getByRole('menuitem', { name: 'Усі квитанції (ZIP)' }))
    await waitFor(() =>
      expect(saveFile).toHaveBeenLastCalledWith(expect.any(Blob), 'Receipts-2026-11-24.zip'),
    )
    const order_ids = ['id-100005', 'id-100001']
    expect(callsOf(ARCHIVE)[0]?.body).toEqual({ order_ids })
    await user.click(menu)
    await user.click(screen.getByRole('menuitem', { name: 'Квитанції про комісію (один PDF)' }))
    await waitFor(() =>
      expect(saveFile).toHaveBeenLastCalledWith(expect.any(Blob), 'Receipts-2026-11-24.pdf'),
    )
    expect(callsOf('/api/order/receipts')[0]?.body).toEqual({ order_ids, receipt_type: 'commission' })
    await user.click(screen.getByRole('button', { name: 'Зняти вибір' }))
    expect(screen.queryByText(/^Вибрано/u)).toBeNull()
    expect(await box('100005')).not.toBeChecked()
    await waitFor(() =>
      expect(screen.getByRole('group', { name: 'Квитанції кількох замовлень' })).toHaveFocus(),
    )
  })

  it('are chosen in a range by shift, paid orders alone', async () => {
    answer('get', '/api/order', { orders, next: null })
    await renderRoute('/archive')
    expect(screen.queryByRole('checkbox', { name: /100003/u })).toBeNull()
    fireEvent.click(await box('100005'))
    fireEvent.click(await box('100002'), { shiftKey: true })
    expect(await screen.findByText('Вибрано 3 замовлення')).toBeVisible()
    expect(await box('100004')).toBeChecked()
    fireEvent.click(await box('100004'), { shiftKey: true })
    expect(await screen.findByText('Вибрано 1 замовлення')).toBeVisible()
  })

  it('are those of everything that is found, 200 at most, whatever is loaded', async () => {
    answer('get', '/api/order', ({ query }) => {
      if (query['limit'] === '20') return { orders, next: 'older' }
      const page = Number(query['before'] ?? 0)
      const ids = Array.from({ length: 100 }, (_, index) => order({ id: `o${page}-${index}` }))
      return { orders: ids, next: String(page + 1) }
    })
    const { user } = await renderRoute('/archive?from=2026-11-01')
    await user.click(await screen.findByRole('button', { name: 'Вибрати всі сплачені' }))
    expect(await screen.findByText('Вибрано 200 замовлень')).toBeVisible()
    expect(screen.getByText(/Звузьте період/u)).toBeVisible()
    const asked = callsOf('/api/order').filter(({ query }) => query['limit'] === '100')
    expect(asked.map(({ query }) => query)).toEqual([
      { from: '2026-11-01', status: 'paid', limit: '100' },
      { from: '2026-11-01', status: 'paid', limit: '100', before: '1' },
    ])
    fireEvent.click(await box('100005'))
    expect(await screen.findByText(/Зніміть вибір із решти/u)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Квитанції вибраних замовлень' })).toBeNull()
  })

  it('that could not be loaded say why, and the choice stays', async () => {
    answer('get', '/api/order', { orders, next: null })
    refuse('post', ARCHIVE, 409, { message: 'order_refunded' })
    const { user } = await renderRoute('/archive')
    await user.click(await box('100005'))
    await user.click(await screen.findByRole('button', { name: 'Квитанції вибраних замовлень' }))
    await user.click(screen.getByRole('menuitem', { name: 'Усі квитанції (ZIP)' }))
    expect(await screen.findByText('Квитанції не завантажено')).toBeVisible()
    expect(await box('100005')).toBeChecked()
  })
})

describe('ready-made periods', () => {
  it('stand in the address, and a second press gives them up', async () => {
    vi.useFakeTimers({ now: new Date('2026-11-24T10:00:00Z'), toFake: ['Date'] })
    answer('get', '/api/order', { orders, next: null })
    const { user, address } = await renderRoute('/archive?status=paid')
    await user.click(await screen.findByRole('button', { name: 'Період: увесь час' }))
    const month = await screen.findByRole('button', { name: 'Минулий місяць' })
    await user.click(month)
    await waitFor(() => expect(address()).toBe('/archive?status=paid&from=2026-10-01&to=2026-10-31'))
    expect(month).toHaveAttribute('aria-pressed', 'true')
    const period = screen.getByRole('button', { name: 'Період: 01.10.2026 – 31.10.2026' })
    expect(screen.getByLabelText('Від дати')).toHaveValue('01.10.2026')
    expect(callsOf('/api/order').at(-1)?.query).toMatchObject({ from: '2026-10-01', to: '2026-10-31' })
    await user.click(month)
    await waitFor(() => expect(address()).toBe('/archive?status=paid'))
    expect(screen.getByLabelText('До дати')).toHaveValue('')
    // It is folded away by Esc, and by leaving it.
    await user.keyboard('{Escape}')
    expect(period).toHaveFocus()
    expect(period).toHaveAttribute('aria-expanded', 'false')
    expect(screen.queryByRole('button', { name: 'Минулий місяць' })).toBeNull()
    await user.click(period)
    await user.click(screen.getByRole('searchbox'))
    expect(period).toHaveAttribute('aria-expanded', 'false')
    vi.useRealTimers()
  })
})
