import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { queryClient } from '@/api/query-client'
import { session } from '@/api/session'
import type { SheetRowReport } from '@/api/sheet'
import { forgetDraft } from '@/forms/draft'
import { gate } from '@/testing/gate'
import { renderRoute } from '@/testing/render-route'
import { cart, koval, olena } from '@/testing/samples'
import { answer, callsOf, lose, refuse, startServer } from '@/testing/server'

import { sheetDraft } from './draft'

startServer()

const right: SheetRowReport = {
  number: 2,
  cells: { payment_type: 'Плата за користування реєстрами', inn: koval.inn, full_name: koval.full_name },
  findings: [],
  payment: {
    inn: koval.inn,
    full_name: koval.full_name,
    payment_type: { id: 'registry', slug: 'registry_payment' },
    option: 'Інформація з реєстру',
    term: null,
    region: 'м. Київ',
    recipient: 'ДП «НАІС»',
    iban: null,
    purpose: 'Плата за інформацію',
    count: 2,
    sum_base: 40,
    commission: 10,
    sum_full: 50,
    sum_total: 100,
  },
  price: null,
  added_before: false,
  repeats: null,
}

const wrong: SheetRowReport = {
  ...right,
  number: 3,
  cells: { ...right.cells, inn: '12' },
  findings: [{ column: 'inn', message: 'client_inn_format_invalid' }],
  payment: null,
}

const known: SheetRowReport = { ...right, number: 4, added_before: true }

beforeEach(() => {
  session.close()
  answer('get', '/api/cart', cart())
  answer('post', '/api/cart/sheet/choices', {
    choices: { payment_type: ['Плата за користування реєстрами'] },
  })
})
afterEach(() => {
  cleanup()
  forgetDraft(sheetDraft)
})

const addKeys = () => callsOf('/api/cart/sheet/add').map(({ headers }) => headers.get('idempotency-key'))

/** The last undo on the page; there may be earlier ones. */
function latestUndo(): HTMLElement {
  const last = screen.getAllByRole('button', { name: 'Повернути' }).at(-1)
  if (last === undefined) throw new Error('nothing to undo')
  return last
}

/** The client's code in the fields of a row. */
const codeOf = (number: number) =>
  within(screen.getByRole('form', { name: `Рядок ${number}` })).getByLabelText('Код клієнта')

/** Pastes rows that the server reads as this report. */
async function paste(...rows: SheetRowReport[]) {
  answer('post', '/api/cart/sheet/read', { rows, unknown_headings: [] })
  const page = await renderRoute('/sheet', { notary: olena })
  await page.user.click(await screen.findByLabelText('Або вставте рядки таблиці'))
  await page.user.paste('Вид платежу\tКод клієнта\n…')
  await page.user.click(screen.getByRole('button', { name: 'Прочитати рядки' }))
  await screen.findByRole('table', { name: 'Платежі з таблиці' })
  return page
}

it('adds the right rows and leaves the others on the page', async () => {
  answer('post', '/api/cart/sheet/add', { items_count: 1, added: 1 })
  const { user, address } = await paste(right, wrong, known)
  expect(screen.getByText('1 платіж без помилок', { exact: false })).toBeVisible()
  expect(screen.getByText('1 рядок треба виправити')).toBeVisible()
  expect(screen.getByText(/Код складається з 10, 9 або 8 цифр/u)).toBeVisible()
  expect(screen.getByText('Такий платіж уже додано з таблиці за останні 30 днів.')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Додати всі без помилок' }))
  await waitFor(() => expect(screen.getByText('До кошика додано 1 платіж')).toBeVisible())
  expect(callsOf('/api/cart/sheet/add')[0]?.body).toEqual({
    rows: [{ number: 2, cells: right.cells, sum: 50, again: false }],
  })
  // What is to be mended stays; what was added before does not.
  expect(screen.getByRole('button', { name: 'Виправити рядок 3' })).toBeVisible()
  expect(screen.queryByText('Такий платіж уже додано з таблиці за останні 30 днів.')).toBeNull()
  expect(address()).toBe('/sheet')
})

it('warns of a check digit that is wrong, as the form does, and adds the row all the same', async () => {
  answer('post', '/api/cart/sheet/add', { items_count: 1, added: 1 })
  // The same code, in a payment and in a row that is wrong in something else.
  const inn = '2345678901'
  const doubtful = { ...right, number: 5, payment: right.payment && { ...right.payment, inn } }
  const both = { ...wrong, number: 6, cells: { ...wrong.cells, inn } }
  const { user } = await paste(right, doubtful, both)
  expect(screen.getByText('У 2 рядках не збігаються контрольні цифри кодів – перевірте їх')).toBeVisible()
  expect(screen.getAllByText(/^Контрольна цифра не збігається/u)).toHaveLength(2)
  expect(screen.getByText('2 платежі без помилок', { exact: false })).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Додати всі без помилок' }))
  await waitFor(() => expect(callsOf('/api/cart/sheet/add')).toHaveLength(1))
  const body = callsOf('/api/cart/sheet/add')[0]?.body as { rows: { number: number }[] }
  expect(body.rows.map(({ number }) => number)).toEqual([2, 5])
})

it('leads to the cart once everything is added, also what is wanted again', async () => {
  answer('post', '/api/cart/sheet/add', { items_count: 2, added: 2 })
  const { user, address } = await paste(right, known)
  await user.click(screen.getByRole('checkbox', { name: 'Додати ще раз рядок 4' }))
  await user.click(screen.getByRole('button', { name: 'Додати всі до кошика' }))
  expect(await screen.findByText('До кошика додано 2 платежі')).toBeVisible()
  expect(address()).toBe('/cart')
  const body = callsOf('/api/cart/sheet/add')[0]?.body as { rows: { again: boolean }[] }
  expect(body.rows.map(({ again }) => again)).toEqual([false, true])
})

it('says of a recipient that is in no list nothing else, in the row and at its field', async () => {
  const cells = { ...right.cells, region: 'м. Київ', recipient: 'ДП «НАЇС»' }
  const findings = [{ column: 'recipient', message: 'requisite_not_for_region' as const }]
  const { user } = await paste({ ...wrong, cells, findings })
  const text = 'Такого отримувача немає в переліку для цього регіону. Виберіть зі списку'
  expect(screen.getByText(text)).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Виправити рядок 3' }))
  expect(await screen.findByLabelText('Отримувач')).toHaveAccessibleDescription(text)
})

it('mends a row in place', async () => {
  const { user } = await paste(wrong)
  await user.click(screen.getByRole('button', { name: 'Виправити рядок 3' }))
  const form = await screen.findByRole('form', { name: 'Рядок 3' })
  const code = within(form).getByLabelText('Код клієнта')
  await waitFor(() => expect(code).toHaveFocus())
  expect(code).toHaveAttribute('aria-invalid', 'true')
  await user.clear(code)
  await user.type(code, koval.inn)
  expect(code).not.toHaveAttribute('aria-invalid')
  answer('post', '/api/cart/sheet/read', { rows: [{ ...right, number: 3 }], unknown_headings: [] })
  await user.click(within(form).getByRole('button', { name: 'Перевірити рядок' }))
  expect(await screen.findByText('1 платіж без помилок', { exact: false })).toBeVisible()
  expect(screen.queryByRole('form', { name: 'Рядок 3' })).toBeNull()
  expect(callsOf('/api/cart/sheet/read').at(-1)?.body).toEqual({
    rows: [{ number: 3, cells: { ...wrong.cells, inn: koval.inn } }],
  })
})

it('shows that nothing can be added while a row is read', async () => {
  const { user } = await paste(right, wrong)
  await user.click(screen.getByRole('button', { name: 'Виправити рядок 3' }))
  const end = gate()
  answer('post', '/api/cart/sheet/read', async () => {
    await end.passed
    return { rows: [right, { ...right, number: 3 }], unknown_headings: [] }
  })
  const add = screen.getByRole('button', { name: 'Додати всі без помилок' })
  await user.click(screen.getByRole('button', { name: 'Перевірити рядок' }))
  await waitFor(() => expect(add).toHaveAttribute('aria-busy', 'true'))
  await user.click(add)
  end.open()
  await waitFor(() => expect(add).not.toHaveAttribute('aria-busy'))
  expect(callsOf('/api/cart/sheet/add')).toHaveLength(0)
})

it('keeps the focus on a wrong cell that is a list', async () => {
  answer('post', '/api/cart/sheet/choices', {
    choices: {
      payment_type: ['Адміністративний збір'],
      region: ['м. Київ'],
      term: ['5 робочих днів', '2 години'],
    },
  })
  const cells = { ...right.cells, payment_type: 'Адміністративний збір', term: 'колись' }
  const { user } = await paste({
    ...wrong,
    cells,
    findings: [{ column: 'term', message: 'payment_type_option_term_required' }],
  })
  await user.click(screen.getByRole('button', { name: 'Виправити рядок 3' }))
  const term = await screen.findByRole('combobox', { name: 'Строк' })
  await waitFor(() => expect(term).toHaveFocus())
})

it('keeps what is typed into a row over a reload, until it is saved or given up', async () => {
  const { user } = await paste(wrong, { ...wrong, number: 5 }, right)
  await user.click(screen.getByRole('button', { name: 'Виправити рядок 3' }))
  await user.type(await screen.findByLabelText('Код клієнта'), '34')
  // Another row doesn't throw it away; its own fields close where nothing was typed.
  await user.click(screen.getByRole('button', { name: 'Змінити рядок 2' }))
  await user.click(screen.getByRole('button', { name: 'Виправити рядок 5' }))
  expect(codeOf(5)).toHaveFocus()
  expect(codeOf(3)).toHaveValue('1234')
  expect(screen.queryByRole('form', { name: 'Рядок 2' })).toBeNull()
  await user.type(codeOf(5), '56')
  cleanup()

  const again = await renderRoute('/sheet', { notary: olena })
  await screen.findByRole('form', { name: 'Рядок 3' })
  expect(codeOf(3)).toHaveValue('1234')
  expect(codeOf(5)).toHaveValue('1256')
  expect(codeOf(5)).not.toHaveFocus()
  answer('post', '/api/cart/sheet/read', {
    rows: [{ ...right, number: 3 }, { ...wrong, number: 5 }, right],
    unknown_headings: [],
  })
  const third = within(screen.getByRole('form', { name: 'Рядок 3' }))
  await again.user.click(third.getByRole('button', { name: 'Перевірити рядок' }))
  expect(await screen.findByRole('button', { name: 'Змінити рядок 3' })).toBeVisible()
  expect(codeOf(5)).toHaveValue('1256')
  expect(callsOf('/api/cart/sheet/read').at(-1)?.body).toMatchObject({
    rows: [{ number: 3, cells: { inn: '1234' } }, { number: 5, cells: { inn: '12' } }, { number: 2 }],
  })
  await again.user.click(screen.getByRole('button', { name: 'Не змінювати' }))
  await again.user.click(screen.getByRole('button', { name: 'Виправити рядок 5' }))
  expect(codeOf(5)).toHaveValue('12')
})

it('adds no row in which something was typed that is not read yet', async () => {
  answer('post', '/api/cart/sheet/add', { items_count: 1, added: 1 })
  const { user } = await paste(right, { ...right, number: 6 })
  await user.click(screen.getByRole('button', { name: 'Змінити рядок 6' }))
  expect(screen.getByText('2 платежі без помилок', { exact: false })).toBeVisible()
  await user.type(codeOf(6), '7')
  expect(screen.getByText('зміни не перевірено')).toBeVisible()
  expect(screen.getByText('1 рядок змінено, але не перевірено, тож не додається')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Додати всі без помилок' }))
  await waitFor(() => expect(callsOf('/api/cart/sheet/add')).toHaveLength(1))
  expect(callsOf('/api/cart/sheet/add')[0]?.body).toMatchObject({ rows: [{ number: 2 }] })
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Змінити рядок 2' })).toBeNull())
  expect(codeOf(6)).toHaveValue(`${koval.inn}7`)
  await user.click(screen.getByRole('button', { name: 'Не змінювати' }))
  expect(screen.getByText('1 платіж без помилок', { exact: false })).toBeVisible()
})

it('brings back a sheet with what was typed into it, and keeps what was pasted meanwhile', async () => {
  const { user } = await paste(wrong, right)
  await user.click(screen.getByRole('button', { name: 'Виправити рядок 3' }))
  await user.type(await screen.findByLabelText('Код клієнта'), '34')
  await user.click(screen.getByRole('button', { name: 'Інша таблиця' }))
  await user.click(screen.getByLabelText('Або вставте рядки таблиці'))
  await user.paste('інші рядки')
  await user.click(latestUndo())
  expect(screen.getByLabelText('Код клієнта')).toHaveValue('1234')
  await user.click(screen.getByRole('button', { name: 'Інша таблиця' }))
  expect(screen.getByLabelText('Або вставте рядки таблиці')).toHaveValue('інші рядки')
})

it('reads a row again without what was left out, brought back or put away meanwhile', async () => {
  const fifth = { ...right, number: 5 }
  const { user } = await paste(right, wrong, fifth)
  await user.click(screen.getByRole('button', { name: 'Не додавати рядок 2' }))
  const check = async (...rows: SheetRowReport[]) => {
    const slow = gate()
    answer('post', '/api/cart/sheet/read', async () => {
      await slow.passed
      return { rows, unknown_headings: [] }
    })
    await user.click(screen.getByRole('button', { name: 'Виправити рядок 3' }))
    await user.click(screen.getByRole('button', { name: 'Перевірити рядок' }))
    return slow
  }
  const first = await check({ ...wrong, findings: [], added_before: true }, fifth)
  await user.click(latestUndo())
  await user.click(screen.getByRole('button', { name: 'Не додавати рядок 5' }))
  first.open()
  expect(await screen.findByRole('checkbox', { name: 'Додати ще раз рядок 3' })).toBeVisible()
  expect(screen.getByRole('button', { name: 'Змінити рядок 2' })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Змінити рядок 5' })).toBeNull()

  const second = await check(right, { ...right, number: 3 })
  await user.click(screen.getByRole('button', { name: 'Інша таблиця' }))
  await user.click(screen.getByLabelText('Або вставте рядки таблиці'))
  await user.paste('інші рядки')
  answer('post', '/api/cart/sheet/read', { rows: [{ ...known, number: 3 }], unknown_headings: [] })
  await user.click(screen.getByRole('button', { name: 'Прочитати рядки' }))
  const again = await screen.findByRole('checkbox', { name: 'Додати ще раз рядок 3' })
  second.open()
  await waitFor(() => expect(queryClient.isMutating()).toBe(0))
  expect(again).toBeVisible()
  expect(screen.getAllByRole('checkbox')).toHaveLength(1)
})

it('leads on where the pressed button disappears', async () => {
  const { user } = await paste(right, wrong, { ...right, number: 5 })
  await waitFor(() =>
    expect(screen.getByText('1 рядок треба виправити').closest('[role=status]')).toHaveFocus(),
  )
  await user.click(screen.getByRole('button', { name: 'Виправити рядок 3' }))
  await user.click(screen.getByRole('button', { name: 'Не змінювати' }))
  expect(screen.getByRole('button', { name: 'Виправити рядок 3' })).toHaveFocus()
  await user.keyboard('{Enter}')
  const mended = { ...right, number: 3 }
  answer('post', '/api/cart/sheet/read', {
    rows: [right, mended, { ...right, number: 5 }],
    unknown_headings: [],
  })
  await user.click(screen.getByRole('button', { name: 'Перевірити рядок' }))
  await waitFor(async () =>
    expect(await screen.findByRole('button', { name: 'Змінити рядок 3' })).toHaveFocus(),
  )
  await user.click(screen.getByRole('button', { name: 'Не додавати рядок 3' }))
  expect(screen.getByRole('button', { name: 'Змінити рядок 5' })).toHaveFocus()
  await user.click(screen.getByRole('button', { name: 'Не додавати рядок 5' }))
  expect(screen.getByRole('button', { name: 'Змінити рядок 2' })).toHaveFocus()
  await user.click(screen.getByRole('button', { name: 'Інша таблиця' }))
  const heading = screen.getByRole('heading', { level: 1 })
  expect(heading).toHaveFocus()
  await user.click(latestUndo())
  await user.click(screen.getByRole('button', { name: 'Не додавати рядок 2' }))
  expect(heading).toHaveFocus()
})

it('leads back to a row that was opened before a reload', async () => {
  const { user } = await paste(wrong)
  await user.click(screen.getByRole('button', { name: 'Виправити рядок 3' }))
  cleanup()
  const again = await renderRoute('/sheet', { notary: olena })
  await again.user.click(await screen.findByRole('button', { name: 'Не змінювати' }))
  expect(screen.getByRole('button', { name: 'Виправити рядок 3' })).toHaveFocus()
})

it('keeps the pasted text over a reload, until it is read', async () => {
  answer('post', '/api/cart/sheet/read', { rows: [wrong], unknown_headings: [] })
  const { user, go } = await renderRoute('/sheet', { notary: olena })
  await user.click(await screen.findByLabelText('Або вставте рядки таблиці'))
  await user.paste('рядки')
  await go('/cart')
  await screen.findByText('Кошик порожній')
  cleanup()
  const again = await renderRoute('/sheet', { notary: olena })
  expect(await screen.findByLabelText('Або вставте рядки таблиці')).toHaveValue('рядки')
  await again.user.click(screen.getByRole('button', { name: 'Прочитати рядки' }))
  await again.user.click(await screen.findByRole('button', { name: 'Інша таблиця' }))
  expect(screen.getByLabelText('Або вставте рядки таблиці')).toHaveValue('')
})

it('reads a sheet that an earlier version of the page has kept', () => {
  const row = { ...wrong, again: false }
  const kept = { rows: [row], unknownHeadings: [], intent: null }
  expect(sheetDraft.read?.(kept)).toEqual({ ...kept, text: '' })
  expect(sheetDraft.read?.({ ...kept, rows: [{ ...row, typed: 'х' }] })).toBeNull()
})

it('outlasts a reload, and sends the same key again after a lost answer', async () => {
  answer('post', '/api/cart/sheet/add', { items_count: 1, added: 1 })
  lose('post', '/api/cart/sheet/add', 1)
  const { user } = await paste(right)
  await user.click(screen.getByRole('button', { name: 'Додати всі до кошика' }))
  expect(await screen.findByText('Невідомо, чи додано платежі')).toBeVisible()
  cleanup()
  const again = await renderRoute('/sheet', { notary: olena })
  expect(await screen.findByText('Невідомо, чи додано платежі')).toBeVisible()
  await again.user.click(await screen.findByRole('button', { name: 'Додати всі до кошика' }))
  // A message of the test before may still stand there.
  await waitFor(() => expect(addKeys()).toHaveLength(2))
  await waitFor(() => expect(screen.getByText('До кошика додано 1 платіж')).toBeVisible())
  expect(screen.queryByText('Невідомо, чи додано платежі')).toBeNull()
  expect(new Set(addKeys()).size).toBe(1)
})

it('holds the rows while they are being added, and loses nothing of what is being mended', async () => {
  const slow = gate()
  answer('post', '/api/cart/sheet/add', async () => {
    await slow.passed
    return { items_count: 1, added: 1 }
  })
  const { user } = await paste(right, wrong)
  await user.click(screen.getByRole('button', { name: 'Виправити рядок 3' }))
  const form = await screen.findByRole('form', { name: 'Рядок 3' })
  await user.clear(within(form).getByLabelText('Код клієнта'))
  await user.type(within(form).getByLabelText('Код клієнта'), koval.inn)
  await user.click(screen.getByRole('button', { name: 'Додати всі без помилок' }))
  answer('post', '/api/cart/sheet/read', { rows: [{ ...right, number: 3 }], unknown_headings: [] })
  const check = within(form).getByRole('button', { name: 'Перевірити рядок' })
  await user.click(check)
  await user.click(screen.getByRole('button', { name: 'Не додавати рядок 2' }))
  await user.click(screen.getByRole('button', { name: 'Інша таблиця' }))
  expect(callsOf('/api/cart/sheet/read')).toHaveLength(1)
  slow.open()
  await waitFor(() => expect(screen.getByText('До кошика додано 1 платіж')).toBeVisible())
  expect(screen.queryByRole('button', { name: 'Змінити рядок 2' })).toBeNull()
  // Now it is checked as it was mended.
  expect(within(form).getByLabelText('Код клієнта')).toHaveValue(koval.inn)
  await waitFor(() => expect(check).toBeEnabled())
  await user.click(check)
  expect(await screen.findByRole('button', { name: 'Змінити рядок 3' })).toBeVisible()
  expect(callsOf('/api/cart/sheet/read').at(-1)?.body).toEqual({
    rows: [{ number: 3, cells: { ...wrong.cells, inn: koval.inn } }],
  })
})

it('adds what is wanted again once, although a refusal follows a lost answer', async () => {
  answer('post', '/api/cart/sheet/add', { items_count: 2, added: 2 })
  refuse('post', '/api/cart/sheet/add', 429, { message: 'too_many_requests' }, { once: true })
  lose('post', '/api/cart/sheet/add', 1)
  const { user } = await paste(right, known)
  await user.click(screen.getByRole('checkbox', { name: 'Додати ще раз рядок 4' }))
  const add = screen.getByRole('button', { name: 'Додати всі до кошика' })
  for (const presses of [1, 2]) {
    // One press after the other.
    // oxlint-disable-next-line no-await-in-loop
    await user.click(add)
    // oxlint-disable-next-line no-await-in-loop
    await waitFor(() => expect(addKeys()).toHaveLength(presses))
    // oxlint-disable-next-line no-await-in-loop
    expect(await screen.findByText('Невідомо, чи додано платежі')).toBeVisible()
  }
  await user.click(add)
  expect(await screen.findByText('До кошика додано 2 платежі')).toBeVisible()
  expect(addKeys()).toHaveLength(3)
  expect(new Set(addKeys()).size).toBe(1)
})

it('wants nothing again unasked where the rows have changed since a lost answer', async () => {
  refuse('post', '/api/cart/sheet/add', 409, {
    message: 'sheet_row_added',
    errors: { 'rows.4.row': ['sheet_row_added'] },
  })
  lose('post', '/api/cart/sheet/add', 1)
  const { user } = await paste(right, known)
  await user.click(screen.getByRole('checkbox', { name: 'Додати ще раз рядок 4' }))
  const add = screen.getByRole('button', { name: 'Додати всі до кошика' })
  await user.click(add)
  expect(await screen.findByText('Невідомо, чи додано платежі')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Не додавати рядок 2' }))
  answer('post', '/api/cart/sheet/read', { rows: [known], unknown_headings: [] })
  await user.click(add)
  expect(await screen.findByText('До кошика нічого не додано')).toBeVisible()
  // The row may be in the cart twice already. Whoever presses now has been told.
  answer('post', '/api/cart/sheet/add', { items_count: 1, added: 1 })
  await user.click(add)
  await waitFor(() => expect(screen.getByText('До кошика додано 1 платіж')).toBeVisible())
  const wanted = callsOf('/api/cart/sheet/add').map(({ body }) =>
    (body as { rows: { again: boolean }[] }).rows.map(({ again }) => again),
  )
  expect(wanted).toEqual([[false, true], [false], [true]])
})

it('says that nothing was added where the first press is refused by a limit', async () => {
  refuse('post', '/api/cart/sheet/add', 429, { message: 'too_many_requests' })
  const { user } = await paste(right)
  await user.click(screen.getByRole('button', { name: 'Додати всі до кошика' }))
  expect(await screen.findByText('До кошика нічого не додано')).toBeVisible()
})

it('reads the rows again where the server knows better', async () => {
  refuse('post', '/api/cart/sheet/add', 409, {
    message: 'sheet_row_added',
    errors: { 'rows.2.row': ['sheet_row_added'] },
  })
  const { user } = await paste(right, wrong)
  await user.click(screen.getByRole('button', { name: 'Не додавати рядок 3' }))
  const slow = gate()
  answer('post', '/api/cart/sheet/read', async () => {
    await slow.passed
    return { rows: [{ ...known, number: 2 }], unknown_headings: [] }
  })
  await user.click(screen.getByRole('button', { name: 'Додати всі до кошика' }))
  await waitFor(() => expect(callsOf('/api/cart/sheet/read')).toHaveLength(2))
  await user.click(latestUndo())
  slow.open()
  expect(await screen.findByText('До кошика нічого не додано')).toBeVisible()
  expect(await screen.findByRole('checkbox', { name: 'Додати ще раз рядок 2' })).toBeVisible()
  // What was brought back meanwhile stays.
  expect(screen.getByRole('button', { name: 'Виправити рядок 3' })).toBeVisible()
})

it('says why a sheet was not read', async () => {
  refuse('post', '/api/cart/sheet/read', 422, { message: 'sheet_headings_missing' })
  const { user } = await renderRoute('/sheet', { notary: olena })
  const file = new File(['a;b'], 'a.csv', { type: 'text/csv' })
  await user.upload(await screen.findByLabelText(/Виберіть файл таблиці/u), file)
  expect(await screen.findByText(/не знайдено назв стовпців/u)).toBeVisible()
  expect(callsOf('/api/cart/sheet/read')[0]?.body).toEqual({ file: 'YTti' })
})

it('brings back a row that was left out, in its place, so that a press without an answer is repeated', async () => {
  answer('post', '/api/cart/sheet/add', { items_count: 2, added: 2 })
  lose('post', '/api/cart/sheet/add', 1)
  const { user } = await paste(right, { ...right, number: 5 })
  const add = screen.getByRole('button', { name: 'Додати всі до кошика' })
  await user.click(add)
  expect(await screen.findByText('Невідомо, чи додано платежі')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Не додавати рядок 2' }))
  expect(screen.queryByRole('button', { name: 'Змінити рядок 2' })).toBeNull()
  await user.click(latestUndo())
  const rows = screen.getAllByRole('button', { name: /^Змінити рядок/u })
  expect(rows.map((row) => row.getAttribute('aria-label'))).toEqual(['Змінити рядок 2', 'Змінити рядок 5'])
  await user.click(add)
  await waitFor(() => expect(addKeys()).toHaveLength(2))
  expect(new Set(addKeys()).size).toBe(1)
})

it('brings back the last row, also after the page was left', async () => {
  const { user, go, address } = await paste(wrong)
  await user.click(screen.getByRole('button', { name: 'Не додавати рядок 3' }))
  expect(screen.getByLabelText('Або вставте рядки таблиці')).toBeVisible()
  await go('/cart')
  await screen.findByText('Кошик порожній')
  await user.click(latestUndo())
  await waitFor(() => expect(address()).toBe('/sheet'))
  expect(await screen.findByRole('button', { name: 'Виправити рядок 3' })).toBeVisible()
})

it('brings back a sheet that was put away for another one, with its press that has no answer', async () => {
  answer('post', '/api/cart/sheet/add', { items_count: 1, added: 1 })
  lose('post', '/api/cart/sheet/add', 1)
  const { user } = await paste(right)
  await user.click(screen.getByRole('button', { name: 'Додати всі до кошика' }))
  expect(await screen.findByText('Невідомо, чи додано платежі')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Інша таблиця' }))
  expect(screen.queryByRole('table')).toBeNull()
  await user.click(latestUndo())
  await user.click(screen.getByRole('button', { name: 'Додати всі до кошика' }))
  await waitFor(() => expect(addKeys()).toHaveLength(2))
  expect(new Set(addKeys()).size).toBe(1)
})

it('says of the template that it was not loaded', async () => {
  refuse('get', '/api/cart/sheet/template', 503, { message: 'internal_error' })
  const { user } = await renderRoute('/sheet', { notary: olena })
  await user.click(await screen.findByRole('button', { name: 'Завантажити шаблон' }))
  expect(await screen.findByText('Шаблон не завантажено')).toBeVisible()
  expect(screen.queryByText('Таблицю не прочитано')).toBeNull()
})

const inEnglish = (row: SheetRowReport): SheetRowReport => ({
  ...row,
  cells: { ...row.cells, payment_type: 'Fee for the use of registers' },
})

it('leaves opened fields as they are when the rows are read again in another language', async () => {
  const { user } = await paste(right, wrong)
  answer('post', '/api/cart/sheet/choices', { choices: { payment_type: ['Fee for the use of registers'] } })
  const slow = gate()
  answer('post', '/api/cart/sheet/read', async () => {
    await slow.passed
    return { rows: [right, wrong].map(inEnglish), unknown_headings: [] }
  })
  await user.click(screen.getByRole('button', { name: 'Виправити рядок 3' }))
  await user.click(screen.getByRole('button', { name: 'Перевірити рядок' }))
  await user.type(codeOf(3), '7')
  await user.click(screen.getByRole('button', { name: 'Змінити рядок 2' }))
  slow.open()
  await waitFor(() =>
    expect(
      screen.getAllByLabelText('Вид платежу').map((field) => (field as HTMLSelectElement).value),
    ).toEqual(['Fee for the use of registers', 'Fee for the use of registers']),
  )
  // What was typed meanwhile stays; where nothing was, the row is right as before.
  expect(codeOf(3)).toHaveValue('127')
  expect(screen.queryByText('зміни не перевірено')).toBeNull()
})
