import { screen, waitFor, within } from '@testing-library/react'
import { beforeAll, beforeEach, expect, it } from 'vitest'

import { session } from '@/api/session'
import { renderRoute } from '@/testing/render-route'
import { cart, cartItem, koval } from '@/testing/samples'
import { answer, callsOf, startServer } from '@/testing/server'

startServer()

// Loaded after the page; how long that takes is not what these tests are about.
beforeAll(async () => {
  await import('./requisites/part')
})

const known = {
  id: 'c-1',
  inn: '3184710691',
  full_name: 'Дем’яненко Лук’ян',
  used_at: '2026-03-01T10:00:00Z',
}
const company = { id: 'c-2', inn: '32855961', full_name: 'ТОВ «Зоря»', used_at: '2026-02-01T10:00:00Z' }

beforeEach(() => {
  session.close()
  answer('get', '/api/payment-types', { payment_types: [{ id: 'requisites', slug: 'requisites_payment' }] })
  answer('get', '/api/payment-types/requisites/templates', {
    requisites_templates: [],
    payment_codes: ['101'],
  })
  answer('get', '/api/cart/client/last', { client: null })
  answer('get', '/api/cart', cart(cartItem()))
  answer('get', '/api/book/recipients', { recipients: [] })
  answer('post', '/api/cart/add', { items_count: 1, item_id: 'item-1', mended_full_name: null })
  answer('post', '/api/book/clients/search', ({ body }) => {
    const { text = '' } = body as { text?: string }
    const fits = ({ inn, full_name: name }: typeof known) =>
      inn.includes(text) || name.toLowerCase().replace('’', '').includes(text.toLowerCase())
    return { clients: [known, company].filter(fits), next: null }
  })
})

type User = Awaited<ReturnType<typeof renderRoute>>['user']

const name = () => screen.findByLabelText(/Прізвище, ім’я, по батькові клієнта|Назва юридичної особи/u)
const code = () => screen.getByLabelText(/^(?:Код клієнта|Код ЄДРПОУ)/u)
const combobox = () => screen.findByRole('combobox', { name: /Прізвище/u })
const addButton = () => screen.getByRole('button', { name: 'Додати до кошика' })

async function enter(user: User, field: HTMLElement, text: string) {
  await user.click(field)
  await user.paste(text)
}

async function fillRequisites(user: User, payerCode = '3184710691') {
  await enter(user, await screen.findByLabelText('Назва отримувача'), 'ТОВ «Ранкова зоря»')
  await enter(user, screen.getByLabelText(/^Код отримувача/u), '32855961')
  await enter(user, screen.getByLabelText('Рахунок IBAN отримувача'), 'UA223052990000026001234567890')
  await enter(user, screen.getByLabelText('Призначення платежу'), `Оплата, ${payerCode}`)
  await enter(user, screen.getByLabelText('Сума'), '100')
}

it('clients are offered while a name is typed, and the keyboard takes one with its code', async () => {
  const { user } = await renderRoute('/')
  await combobox()
  await user.type(await name(), 'демян')
  const list = await screen.findByRole('listbox', { name: 'Клієнти з довідника' })
  await waitFor(() =>
    expect(within(list).getByRole('option')).toHaveTextContent('Дем’яненко Лук’ян3184710691'),
  )
  expect(await name()).toHaveAttribute('aria-expanded', 'true')
  await user.keyboard('{ArrowDown}')
  expect(await name()).toHaveAttribute('aria-activedescendant', within(list).getByRole('option').id)
  await user.keyboard('{Enter}')
  expect(await name()).toHaveValue('Дем’яненко Лук’ян')
  expect(code()).toHaveValue('3184710691')
  expect(screen.queryByRole('listbox')).not.toBeInTheDocument()
  await waitFor(async () => expect(await name()).toHaveFocus())
})

it('the list is closed by Escape and chosen from by a press', async () => {
  const { user } = await renderRoute('/')
  await user.type(await combobox(), 'зоря')
  await screen.findByRole('listbox')
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('listbox')).not.toBeInTheDocument()
  expect(await name()).toHaveValue('зоря')
  await user.keyboard('{ArrowDown}')
  await user.click(await screen.findByRole('option', { name: /ТОВ «Зоря»/u }))
  expect(code()).toHaveValue('32855961')
  expect(screen.getByRole('checkbox', { name: 'Платник – юридична особа' })).toBeChecked()
})

it('a known code that is typed in full fills in the name', async () => {
  const { user } = await renderRoute('/')
  await combobox()
  await user.type(code(), '3184710691')
  await waitFor(async () => expect(await name()).toHaveValue('Дем’яненко Лук’ян'))
})

it('another name for a known code is asked about before the payment is added', async () => {
  const { user } = await renderRoute('/')
  await combobox()
  await enter(user, await name(), 'Дем’яненко Лука')
  await enter(user, code(), '3184710691')
  await fillRequisites(user)
  expect(screen.queryByText('Щоб продовжити, виберіть ім’я.')).not.toBeInTheDocument()
  await user.click(addButton())
  expect(await screen.findByText('За цим кодом у довіднику інше ім’я: «Дем’яненко Лук’ян»')).toBeVisible()
  expect(screen.getByText('Щоб продовжити, виберіть ім’я.')).toBeVisible()
  expect(callsOf('/api/cart/add')).toHaveLength(0)
  expect(await name()).toHaveValue('Дем’яненко Лука')
  // The press goes on by itself.
  await user.click(screen.getByRole('button', { name: 'Залишити «Дем’яненко Лука»' }))
  await screen.findByText('Платіж додано до кошика')
  expect(callsOf('/api/cart/add')[0]?.body).toMatchObject({ client: { full_name: 'Дем’яненко Лука' } })
})

it('the answer adds nothing that was changed after the press', async () => {
  const { user } = await renderRoute('/')
  await combobox()
  await enter(user, await name(), 'Дем’яненко Лука')
  await enter(user, code(), '3184710691')
  await fillRequisites(user)
  await user.click(addButton())
  await user.clear(screen.getByLabelText('Сума'))
  await enter(user, screen.getByLabelText('Сума'), '101')
  await user.click(await screen.findByRole('button', { name: 'Узяти «Дем’яненко Лук’ян»' }))
  expect(await name()).toHaveValue('Дем’яненко Лук’ян')
  expect(callsOf('/api/cart/add')).toHaveLength(0)
  await user.click(addButton())
  await screen.findByText('Платіж додано до кошика')
  expect(callsOf('/api/cart/add')[0]?.body).toMatchObject({ client: { full_name: 'Дем’яненко Лук’ян' } })
})

it('the known name is taken at a press', async () => {
  const { user } = await renderRoute('/')
  await combobox()
  await enter(user, await name(), 'Дем’яненко Лука')
  await enter(user, code(), '3184710691')
  await user.click(await screen.findByRole('button', { name: 'Узяти «Дем’яненко Лук’ян»' }))
  expect(await name()).toHaveValue('Дем’яненко Лук’ян')
  expect(screen.queryByText(/інше ім’я/u)).not.toBeInTheDocument()
})

it('a name is mended when the field is left, and what was typed comes back and is sent so', async () => {
  const { user } = await renderRoute('/')
  await combobox()
  await user.type(await name(), "  Дем'яненко  Ipина")
  await user.tab()
  expect(await name()).toHaveValue('Дем’яненко Ірина')
  expect(screen.getByText(/Було введено: Дем'яненко Ipина/u)).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Залишити, як введено' }))
  expect(await name()).toHaveValue("Дем'яненко Ipина")
  await waitFor(async () => expect(await name()).toHaveFocus())
  await enter(user, code(), koval.inn)
  expect(await name()).toHaveValue("Дем'яненко Ipина")
  await fillRequisites(user, koval.inn)
  await user.click(addButton())
  await screen.findByText('Платіж додано до кошика')
  expect(callsOf('/api/cart/add')[0]?.body).toMatchObject({
    client: { full_name: "Дем'яненко Ipина", name_as_typed: true },
  })
})

it('a recipient is saved for any client and offered as a template', async () => {
  const saved = {
    id: 'r-1',
    title: 'Зоря',
    recipient_name: 'ТОВ «Ранкова зоря»',
    iban: 'UA223052990000026001234567890',
    okpo: '32855961',
    cbc_code: null,
    purpose: 'Оплата, {clientIPN}',
  }
  answer('post', '/api/book/recipients/save', () => {
    answer('get', '/api/book/recipients', { recipients: [saved] })
    return { recipient: saved }
  })
  const { user } = await renderRoute('/')
  await combobox()
  await enter(user, code(), '3184710691')
  await fillRequisites(user)
  await user.click(screen.getByRole('button', { name: 'Зберегти отримувача' }))
  await user.clear(screen.getByLabelText('Назва в довіднику'))
  await user.type(screen.getByLabelText('Назва в довіднику'), 'Зоря{Enter}')
  await screen.findByText('Отримувача збережено в довіднику')
  expect(callsOf('/api/book/recipients/save')[0]?.body).toEqual({
    title: 'Зоря',
    id: null,
    recipient_name: 'ТОВ «Ранкова зоря»',
    iban: 'UA223052990000026001234567890',
    okpo: '32855961',
    cbc_code: null,
    purpose: 'Оплата, {clientIPN}',
  })
  expect(callsOf('/api/cart/add')).toHaveLength(0)
  await waitFor(() =>
    expect(screen.getByLabelText(/^Шаблон платежу/u)).toHaveDisplayValue('Зоря – з довідника'),
  )
  expect(screen.getByLabelText('Призначення платежу')).toHaveValue('Оплата, 3184710691')
  await user.click(addButton())
  await screen.findByText('Платіж додано до кошика')
  expect(callsOf('/api/cart/add')[0]?.body).not.toHaveProperty('requisites_template')
})
