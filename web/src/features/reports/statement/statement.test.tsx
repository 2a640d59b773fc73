import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'

import type { CreditedPart, StatementReport } from '@/api/statement'
import { renderRoute } from '@/testing/render-route'
import { olena } from '@/testing/samples'
import { answer, callsOf, refuse, startServer } from '@/testing/server'

startServer()

const READ = '/api/order/statement/read'
const MARK = '/api/order/statement/mark'

const part: CreditedPart = {
  item_id: 'item-1',
  order_id: 'order-1',
  order_number: '100001',
  client_name: 'Гнатюк Петро Олександрович',
  credited_on: null,
  on: '2026-11-20',
  amount: 204,
}
const nothing: StatementReport = {
  credits: 3,
  clear: [],
  unmarked: [],
  unclear: [],
  known: 0,
  other: 3,
  marked: 0,
}
const clear: StatementReport = { ...nothing, clear: [part], other: 2 }

const figures = {
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

beforeEach(() => {
  answer('get', '/api/reports', {
    from: '2026-11-01',
    to: '2026-11-30',
    by: 'payment',
    total: figures,
    kinds: [],
    months: [],
  })
})

/** Opens the reports and chooses a statement. */
async function choose(bytes = 'ab') {
  const { user } = await renderRoute('/reports', { notary: olena })
  const file = new File([bytes], 'виписка.xml', { type: 'text/xml' })
  await user.upload(await screen.findByLabelText(/Виберіть файл виписки/u), file)
  return user
}

describe('the statement of the notary’s bank', () => {
  it('shows what can be marked first, and marks it by a press', async () => {
    answer('post', READ, clear)
    const user = await choose()
    const table = within(await screen.findByRole('table', { name: 'Ваші 60 %, зараховані за випискою' }))
    expect(table.getByRole('link', { name: '№ 100001' })).toHaveAttribute('href', '/order/order-1')
    expect(table.getByText('20.11.2026')).toBeVisible()
    expect(screen.getByText(/Не стосуються QR-кодів ваших замовлень: 2\./u)).toBeVisible()
    expect(callsOf(READ)[0]?.body).toEqual({ file: 'YWI=' })
    expect(callsOf(MARK)).toEqual([])
    answer('post', MARK, { ...nothing, known: 1, other: 2, marked: 1 })
    await user.click(screen.getByRole('button', { name: 'Позначити як зараховані' }))
    expect(await screen.findByText('Зараховано за випискою: 1 платіж')).toBeVisible()
    expect(callsOf(MARK)[0]?.body).toEqual({ file: 'YWI=', items: ['item-1'] })
    expect(screen.getByText('Нових зарахувань за QR-кодами у виписці немає.')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Позначити як зараховані' })).toBeNull()
    await waitFor(() =>
      expect(screen.getByText(/^Зарахувань у виписці: 3\. Позначено за випискою раніше: 1\./u)).toHaveFocus(),
    )
  })

  it('shows what is not clear with all that it may be, and offers no mark of it', async () => {
    const other = { ...part, item_id: 'item-2', order_number: '100002', credited_on: '2026-11-20' }
    const { on, amount } = part
    answer('post', READ, {
      ...nothing,
      unmarked: [{ ...part, order_number: '100003' }],
      unclear: [
        { on, amount, reference: 'JBKL-77', parts: [part, other] },
        { on, amount, reference: null, parts: [part] },
      ],
    })
    await choose()
    expect(await screen.findByText('Референс банку: JBKL-77')).toBeVisible()
    expect(screen.getAllByText('№ 100001')).toHaveLength(2)
    expect(screen.getByText('№ 100002').closest('li')).toHaveTextContent('зараховано за випискою 20.11.2026')
    expect(screen.getByText(/^Банк не назвав референсу/u)).toBeVisible()
    expect(screen.getByText('№ 100003')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Позначити як зараховані' })).toBeNull()
  })

  it('says why a file is refused, and forgets the report before it', async () => {
    answer('post', READ, clear)
    const user = await choose()
    await screen.findByRole('table', { name: 'Ваші 60 %, зараховані за випискою' })
    refuse('post', READ, 422, { message: 'statement_unreadable', errors: { file: ['statement_unreadable'] } })
    const field = screen.getByLabelText(/Виберіть файл виписки/u)
    await user.upload(field, new File(['x'], 'a.csv', { type: 'text/csv' }))
    expect(await screen.findByText('Виписку не прочитано')).toBeVisible()
    expect(screen.getByText(/^Файл не схожий на виписку/u)).toBeVisible()
    expect(screen.queryByRole('table', { name: 'Ваші 60 %, зараховані за випискою' })).toBeNull()
  })

  it('sends no file that the server would not read', async () => {
    await choose('x'.repeat(700_001))
    expect(await screen.findByText(/^Файл завеликий/u)).toBeVisible()
    expect(callsOf(READ)).toEqual([])
  })

  it('is not offered to a notary of the state, who has no share', async () => {
    await renderRoute('/reports', { notary: { ...olena, notary_status: 'state' } })
    expect(await screen.findByText('Таблиці для обліку')).toBeVisible()
    expect(screen.queryByText('Зарахування за QR-кодами')).toBeNull()
  })
})
