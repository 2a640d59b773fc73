import { act, screen, waitFor } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { session } from '@/api/session'
import { saveFile } from '@/lib/download'
import { gate } from '@/testing/gate'
import { renderRoute } from '@/testing/render-route'
import { order } from '@/testing/samples'
import { answer, answerBytes, callsOf, lose, refuse, startServer } from '@/testing/server'

vi.mock('@/lib/download', () => ({ saveFile: vi.fn<(bytes: Blob, fileName: string) => void>() }))

startServer()

const spreadsheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

beforeEach(() => {
  answer('get', '/api/order', { orders: [order()], next: null })
  answer('post', '/api/order/search', { orders: [order()], next: null })
})
afterEach(() => session.close())

const exportButton = () => screen.findByRole('button', { name: /^Експортувати в таблицю/u })
const sent = () => callsOf('/api/order/export').map(({ body }) => body)

describe('the export of the archive', () => {
  it('saves what the filter finds under the name the server gave it, and says so', async () => {
    answerBytes('post', '/api/order/export', spreadsheet, 'Archive-2026-11-01-2026-11-30.xlsx')
    const { user, address } = await renderRoute('/archive?status=paid&from=2026-11-01&to=2026-11-30')
    await user.type(
      await screen.findByLabelText('Клієнт, код, номер, сума, отримувач або дія'),
      'коваль{Enter}',
    )
    await screen.findByRole('region', { name: /^Замовлення № / })
    await user.click(await exportButton())
    expect(await screen.findByText('Таблицю збережено: Archive-2026-11-01-2026-11-30.xlsx')).toBeVisible()
    expect(sent()).toEqual([{ status: 'paid', from: '2026-11-01', to: '2026-11-30', text: 'коваль' }])
    expect(saveFile).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ type: spreadsheet, size: 5 }),
      'Archive-2026-11-01-2026-11-30.xlsx',
    )
    expect(address()).not.toMatch(/коваль/u)
  })

  it('is made once however often the button is pressed, by the keyboard as by the mouse', async () => {
    const made = gate()
    answer('post', '/api/order/export', async () => {
      await made.passed
      throw new HttpResponse('bytes', { headers: { 'Content-Type': spreadsheet } })
    })
    const { user } = await renderRoute('/archive')
    await screen.findByRole('region', { name: /^Замовлення № / })
    const button = await exportButton()
    act(() => button.focus())
    await user.keyboard('{Enter}')
    await waitFor(() => expect(button).toHaveAttribute('aria-busy', 'true'))
    await user.keyboard('{Enter} ')
    await user.click(button)
    made.open()
    await waitFor(() => expect(saveFile).toHaveBeenCalledOnce())
    expect(saveFile).toHaveBeenCalledWith(expect.any(Blob), 'Archive.xlsx')
    expect(sent()).toEqual([{}])
    await waitFor(() => expect(button).toHaveFocus())
  })

  it('takes no path for a name', async () => {
    answerBytes('post', '/api/order/export', spreadsheet, '../../etc/passwd')
    const { user } = await renderRoute('/archive')
    await user.click(await exportButton())
    await waitFor(() => expect(saveFile).toHaveBeenCalledWith(expect.any(Blob), 'Archive.xlsx'))
  })

  it('cannot be asked for where nothing is found, and says why', async () => {
    answer('get', '/api/order', { orders: [], next: null })
    const { user } = await renderRoute('/archive?status=expired')
    await screen.findByText('За цими фільтрами нічого не знайдено')
    const button = await exportButton()
    expect(button).toHaveAttribute('aria-disabled', 'true')
    expect(button).toHaveAccessibleDescription('Немає чого експортувати')
    expect(screen.getByText('Немає чого експортувати')).toBeVisible()
    await user.click(button)
    expect(sent()).toEqual([])
  })

  it('that is too large says what to do, until another filter is chosen', async () => {
    refuse('post', '/api/order/export', 422, { message: 'export_too_large' })
    const { user } = await renderRoute('/archive')
    await screen.findByRole('region', { name: /^Замовлення № / })
    await user.click(await exportButton())
    const text = 'Забагато платежів для однієї таблиці. Звузьте період або змініть фільтри'
    expect(await screen.findByText(text)).toBeVisible()
    expect(screen.getByRole('alert')).toHaveTextContent('Таблицю не завантажено')
    expect(saveFile).not.toHaveBeenCalled()
    await user.selectOptions(screen.getByLabelText('Статус'), 'Сплачено')
    await waitFor(() => expect(screen.queryByText(text)).toBeNull())
  })

  it('that is lost on the way says so by the button, and the next try succeeds', async () => {
    answerBytes('post', '/api/order/export', spreadsheet, 'Archive-2026-11-21.xlsx')
    lose('post', '/api/order/export', 1)
    const { user } = await renderRoute('/archive')
    await screen.findByRole('region', { name: /^Замовлення № / })
    await user.click(await exportButton())
    expect(await screen.findByText(/Немає зв’язку із сервером/u)).toBeVisible()
    await user.click(await exportButton())
    await waitFor(() => expect(saveFile).toHaveBeenCalledOnce())
    expect(screen.queryByText(/Немає зв’язку із сервером/u)).toBeNull()
  })

  it('is offered in English, too', async () => {
    answerBytes('post', '/api/order/export', spreadsheet, 'Archive-2026-11-21.xlsx')
    const { user } = await renderRoute('/archive', { locale: 'en' })
    await user.click(await screen.findByRole('button', { name: 'Export to a spreadsheet' }))
    expect(await screen.findByText('The spreadsheet was saved: Archive-2026-11-21.xlsx')).toBeVisible()
    expect(callsOf('/api/order/export')[0]?.headers.get('accept-language')).toBe('en')
  })
})
