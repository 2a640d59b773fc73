import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'

import type { Figures, Report } from '@/api/reports'
import { saveFile } from '@/lib/download'
import { daysOf } from '@/lib/periods'
import { renderRoute } from '@/testing/render-route'
import { olena } from '@/testing/samples'
import { answer, answerBytes, callsOf, refuse, startServer } from '@/testing/server'

import { quarterOf } from './periods'

vi.mock('@/lib/download', () => ({ saveFile: vi.fn<(bytes: Blob, fileName: string) => void>() }))

startServer()

const spreadsheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

const nothing: Figures = {
  count: 0,
  amount: 0,
  commission: 0,
  total: 0,
  own_planned: 0,
  own_sent: 0,
  own_credited: 0,
  own_returned: 0,
  returned: 0,
  refunded_count: 0,
  refunded: 0,
  codes_count: 0,
  codes: 0,
}
const some: Figures = {
  ...nothing,
  count: 2,
  amount: 410.5,
  commission: 30,
  total: 440.5,
  own_sent: 100,
  own_credited: 98,
  returned: 132,
  refunded_count: 1,
  refunded: 350,
}

const report = (figures: Figures): Report => ({
  from: '2026-03-01',
  to: '2026-04-30',
  by: 'payment',
  total: figures,
  kinds: [
    { payment_type: 'admin_payment', figures },
    { payment_type: 'registry_payment', figures: nothing },
  ],
  months: [
    { month: '2026-03', figures },
    { month: '2026-04', figures: nothing },
  ],
})

const asked = () => callsOf('/api/reports').map(({ query }) => query)

describe('the reports', () => {
  beforeEach(() => answer('get', '/api/reports', report(some)))

  it('shows the figures of the server and keeps the period in the address', async () => {
    const { user, address } = await renderRoute('/reports?from=2026-03-01&to=2026-04-30')
    const paid = within(await screen.findByRole('region', { name: 'Сплачено' }))
    expect(paid.getByText('440', { exact: false })).toHaveTextContent(/440,50/u)
    expect(paid.getByText('350', { exact: false })).toHaveTextContent(/350,00/u)
    expect(within(screen.getByRole('region', { name: 'Ваші 60 %' })).getByText(/^100/u)).toBeVisible()
    const kinds = within(screen.getByRole('table', { name: 'За видами платежів' }))
    expect(kinds.getAllByRole('row')).toHaveLength(2)
    const months = within(screen.getByRole('table', { name: 'За місяцями' }))
    expect(months.getAllByRole('row')).toHaveLength(3)
    expect(months.getByRole('row', { name: /березень 2026/u })).toHaveTextContent(/198,00/u)

    await user.selectOptions(screen.getByLabelText('Рахувати за днем'), 'зарахування')
    expect(address()).toBe('/reports?from=2026-03-01&to=2026-04-30&by=crediting')
    expect(asked().at(-1)).toEqual({ from: '2026-03-01', to: '2026-04-30', by: 'crediting' })
    await user.clear(screen.getByLabelText('До дати'))
    await user.click(screen.getByRole('button', { name: 'Показати' }))
    expect(screen.getByLabelText('До дати')).toHaveAccessibleDescription('Укажіть дату')
    expect(screen.getByLabelText('До дати')).toHaveFocus()
    await user.type(screen.getByLabelText('До дати'), '2026-02-28')
    await user.click(screen.getByRole('button', { name: 'Показати' }))
    expect(screen.getByLabelText('До дати')).toHaveAccessibleDescription(/Кінець періоду раніший/u)
    expect(address()).toBe('/reports?from=2026-03-01&to=2026-04-30&by=crediting')
    await user.clear(screen.getByLabelText('До дати'))
    await user.type(screen.getByLabelText('До дати'), '2026-03-31')
    await user.click(screen.getByRole('button', { name: 'Показати' }))
    expect(address()).toBe('/reports?from=2026-03-01&to=2026-03-31&by=crediting')
    expect(screen.getByRole('button', { name: 'Показати' })).toHaveFocus()
  })

  it('says that a period has no payments', async () => {
    answer('get', '/api/reports', report(nothing))
    await renderRoute('/reports')
    expect(await screen.findByText('За цей період платежів немає')).toBeVisible()
    expect(screen.queryByRole('table')).toBeNull()
  })

  it('says of a period that nothing was credited in it, aloud, too', async () => {
    answer('get', '/api/reports', report(some))
    const { user } = await renderRoute('/reports?from=2026-03-01&to=2026-04-30')
    expect(await screen.findByText('Разом з комісією')).toBeVisible()
    answer('get', '/api/reports', { ...report(nothing), by: 'crediting' })
    await user.selectOptions(screen.getByLabelText('Рахувати за днем'), 'зарахування')
    expect(await screen.findByText('За цей період нічого не зараховано й не повернено')).toBeVisible()
    expect(screen.getByText('Звіт оновлено: за цей період даних немає')).toBeInTheDocument()
    answer('get', '/api/reports', { ...report(some), by: 'crediting', from: '2026-03-02' })
    await user.click(screen.getByRole('link', { name: 'Минулий квартал' }))
    expect(await screen.findByText('Звіт оновлено')).toBeInTheDocument()
    expect(screen.queryByText('Разом з комісією')).toBeNull()
  })

  it('shows a notary of the state no share, unless there was one', async () => {
    const state: typeof olena = { ...olena, notary_status: 'state' }
    answer('get', '/api/reports', report({ ...some, own_sent: 0, own_credited: 0 }))
    const { user } = await renderRoute('/reports', { notary: state })
    expect(await screen.findByRole('region', { name: 'Сплачено' })).toBeVisible()
    expect(screen.queryByText(/Ваші 60 %/u)).toBeNull()
    expect(screen.queryByRole('button', { name: 'Облік доходів за період' })).toBeNull()
    answer('get', '/api/reports', report(some))
    await user.click(screen.getByRole('link', { name: 'Минулий місяць' }))
    expect(await screen.findByRole('region', { name: 'Ваші 60 %' })).toBeVisible()
    expect(screen.getByRole('button', { name: 'Облік доходів за період' })).toBeVisible()
  })

  it('asks again for a report that could not be loaded, and offers the books meanwhile', async () => {
    refuse('get', '/api/reports', 500, { message: 'internal_error' })
    const { user } = await renderRoute('/reports?from=2026-03-01&to=2026-04-30')
    expect(await screen.findByText('Звіт не вдалося завантажити')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Облік доходів за період' })).toBeVisible()
    answer('get', '/api/reports', report(some))
    await user.click(screen.getByRole('button', { name: 'Спробувати ще раз' }))
    expect(await screen.findByRole('region', { name: 'Сплачено' })).toBeVisible()
  })

  it('says why there is no report of a period, at the field, too, and does not offer to ask again', async () => {
    refuse('get', '/api/reports', 422, {
      message: 'period_too_long',
      errors: { to: ['period_too_long'] },
    })
    const { user } = await renderRoute('/reports?from=2016-03-01&to=2026-04-30')
    expect(await screen.findByText('Звіт не вдалося завантажити')).toBeVisible()
    const to = screen.getByLabelText('До дати')
    expect(to).toHaveAccessibleDescription(/Період завеликий/u)
    expect(screen.getByLabelText('Від дати')).not.toHaveAttribute('aria-invalid', 'true')
    expect(screen.queryByRole('button', { name: 'Спробувати ще раз' })).toBeNull()
    expect(screen.getByRole('button', { name: /^Податки за II квартал/u })).toBeVisible()
    fireEvent.change(to, { target: { value: '30.04.2017' } })
    expect(to).not.toHaveAttribute('aria-invalid', 'true')
    answer('get', '/api/reports', report(some))
    await user.click(screen.getByRole('button', { name: 'Показати' }))
    expect(await screen.findByRole('region', { name: 'Сплачено' })).toBeVisible()
  })

  it('saves the books of the period, and says if that fails', async () => {
    answerBytes('get', '/api/reports/income-book', spreadsheet, 'Income-2026-03-01-2026-04-30.xlsx')
    refuse('get', '/api/reports/tax-quarter', 422, { message: 'export_too_large' })
    const { user } = await renderRoute('/reports?from=2026-03-01&to=2026-04-30')
    await user.click(await screen.findByRole('button', { name: 'Облік доходів за період' }))
    await waitFor(() =>
      expect(saveFile).toHaveBeenCalledExactlyOnceWith(
        expect.anything(),
        'Income-2026-03-01-2026-04-30.xlsx',
      ),
    )
    await user.click(screen.getByRole('button', { name: /Податки за II квартал 2026 року/u }))
    expect(await screen.findByText(/Забагато платежів/u)).toBeVisible()
    expect(callsOf('/api/reports/tax-quarter').map(({ query }) => query['quarter'])).toEqual(['2026-Q2'])
    answerBytes('get', '/api/reports/tax-quarter', spreadsheet, 'Taxes-2026-04.xlsx')
    await user.click(screen.getByRole('button', { name: 'Податки за 04.2026' }))
    await waitFor(() => expect(saveFile).toHaveBeenLastCalledWith(expect.anything(), 'Taxes-2026-04.xlsx'))
    expect(callsOf('/api/reports/tax-quarter').at(-1)?.query).toEqual({ month: '2026-04' })
  })
})

describe('periods', () => {
  it('are whole months, quarters and years', () => {
    expect(daysOf('this_month', '2026-02-10')).toEqual({ from: '2026-02-01', to: '2026-02-28' })
    expect(daysOf('last_month', '2026-01-31')).toEqual({ from: '2025-12-01', to: '2025-12-31' })
    expect(daysOf('this_quarter', '2026-11-23')).toEqual({ from: '2026-10-01', to: '2026-12-31' })
    expect(daysOf('this_year', '2028-02-29')).toEqual({ from: '2028-01-01', to: '2028-12-31' })
    expect(daysOf('last_quarter', '2026-02-10')).toEqual({ from: '2025-10-01', to: '2025-12-31' })
    expect(['2026-03-31', '2026-04-01', '2026-12-31'].map(quarterOf)).toEqual([
      '2026-Q1',
      '2026-Q2',
      '2026-Q4',
    ])
  })
})
