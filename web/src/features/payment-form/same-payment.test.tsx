import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'

import type { components } from '@/api/schema'
import { session } from '@/api/session'
import { switchLocale } from '@/i18n/i18n'
import { gate } from '@/testing/gate'
import { renderRoute } from '@/testing/render-route'
import { cart, koval } from '@/testing/samples'
import { answer, callsOf, lose, refuse, startServer } from '@/testing/server'

startServer()

type Duplicate = components['schemas']['DuplicatePayment']

const wanted: Duplicate['wanted'] = {
  full_name: koval.full_name,
  recipient_name: 'ГУК у м.Києві',
  purpose: '101 Витяг, 3068208400',
  count: 1,
  sum_full: 60,
  sum_total: 60,
}

const inCart: Duplicate = {
  earlier: { ...wanted, count: 3, sum_total: 180, purpose: 'Інше призначення' },
  item_id: 'item-7',
  added_at: '2026-11-20T10:05:00Z',
  order: null,
  wanted,
}

const inOrder: Duplicate = {
  ...inCart,
  earlier: wanted,
  order: {
    id: 'order-1',
    number: '100017',
    status: 'paid',
    payment_state: 'paid',
    created_at: '2026-11-20T10:05:00Z',
    sum: 60,
    widget_url: null,
  },
}

beforeEach(() => {
  session.close()
  answer('get', '/api/payment-types', { payment_types: [{ id: 'registry', slug: 'registry_payment' }] })
  answer('get', '/api/payment-types/fields', {
    options: [
      {
        id: 'extract',
        name: 'Витяг',
        additional_data: { tariff: 40, stale: null, outdated_from: null, next_year: null },
      },
    ],
    regions: [{ id: 'ua-30', name: 'м. Київ' }],
  })
  answer('get', '/api/payment-types/region/requisites', {
    requisites: [
      {
        id: 'kyiv',
        name: 'ГУК у м.Києві',
        iban: 'UA848999980999022012600300051',
        okpo: '37993783',
        budget_code: '22012600',
        demonstration: false,
        unconfirmed: null,
      },
    ],
  })
  answer('get', '/api/cart/client/last', { client: null })
  answer('post', '/api/book/clients/search', { clients: [], next: null })
  answer('get', '/api/book/recipients', { recipients: [] })
  answer('get', '/api/payment-types/last-choices', {
    payment_type_option_term_id: null,
    payment_type_region_id: null,
    payment_type_requisite_id: null,
  })
  answer('get', '/api/cart', cart())
  answer('post', '/api/cart/add', { items_count: 2, item_id: 'item-8', mended_full_name: null })
})

type User = Awaited<ReturnType<typeof renderRoute>>['user']

const nameField = () => screen.findByLabelText('Прізвище, ім’я, по батькові клієнта')
const addButton = () => screen.getByRole('button', { name: 'Додати до кошика' })
const question = () => screen.findByRole('dialog', { name: 'Такий платіж уже є' })
const keys = () => callsOf('/api/cart/add').map((call) => call.headers.get('idempotency-key'))
const sent = () => callsOf('/api/cart/add').map(({ body }) => body)

async function choose(user: User, label: string) {
  const select = await screen.findByLabelText(label)
  const [, option] = await waitFor(() => {
    const options = within(select).getAllByRole('option')
    expect(options.length).toBeGreaterThan(1)
    return options
  })
  if (option !== undefined) await user.selectOptions(select, option)
}

/** Fills in the form, adds the payment and is told that it is there. */
async function addTwice(duplicate: Duplicate) {
  refuse('post', '/api/cart/add', 409, { message: 'payment_duplicate', duplicate }, { once: true })
  const { user } = await renderRoute('/')
  await user.type(await nameField(), koval.full_name)
  await user.type(screen.getByLabelText('Код клієнта'), koval.inn)
  await choose(user, 'Послуга реєстру')
  await choose(user, 'Регіон')
  await choose(user, 'Отримувач')
  await user.click(addButton())
  return user
}

it('shows both payments beside each other, and leads back to the form with everything typed', async () => {
  const user = await addTwice(inCart)
  const dialog = await question()
  const [earlier, fresh] = within(dialog).getAllByRole('heading', { level: 3 })
  const sides = [earlier?.closest('section'), fresh?.closest('section')]
  expect(sides[0]).toHaveTextContent('Уже єУ кошику з 20.11.26 12:05')
  expect(sides[0]).toHaveTextContent(/180,00\sгрн3 × 60,00\sгрн/u)
  expect(sides[1]).toHaveTextContent('Новий платіжЩе не додано60,00')
  // What differs is marked.
  expect(within(dialog).getByText('Інше призначення')).toHaveProperty('tagName', 'STRONG')
  expect(within(dialog).getAllByText(koval.full_name)[0]).toHaveProperty('tagName', 'DD')
  expect(within(dialog).getByRole('link', { name: 'Відкрити кошик' })).toHaveAttribute('href', '/cart')

  await user.click(within(dialog).getByRole('button', { name: 'Не додавати' }))
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(await nameField()).toHaveValue(koval.full_name)
  expect(screen.getByLabelText('Отримувач')).toHaveValue('kyiv')
  await waitFor(() => expect(addButton()).toHaveFocus())
  expect(sent()).toMatchObject([{ accept_duplicate: false }])
  expect(screen.queryByText('Платіж додано до кошика')).toBeNull()
})

it('names the order of the earlier payment, in English too', async () => {
  await addTwice(inOrder)
  const dialog = await question()
  expect(dialog).toHaveTextContent('Замовлення № 100017 від 20.11.26 12:05')
  expect(within(dialog).getByText('Сплачено')).toBeVisible()
  expect(within(dialog).getByRole('link', { name: 'Відкрити замовлення № 100017' })).toHaveAttribute(
    'href',
    '/order/order-1',
  )
  await switchLocale('en')
  expect(await screen.findByRole('dialog', { name: 'The same payment already exists' })).toHaveTextContent(
    'Order No. 100017',
  )
  await switchLocale('uk')
})

it('adds it where it is wanted twice, and repeats a lost answer by the same key without a question', async () => {
  const user = await addTwice(inCart)
  lose('post', '/api/cart/add', 1)
  await user.click(within(await question()).getByRole('button', { name: 'Додати ще один' }))
  await screen.findByText('Сервер не підтвердив додавання')
  expect(screen.queryByRole('dialog')).toBeNull()
  await user.click(addButton())
  await screen.findByText('Платіж додано до кошика')
  const [, lost, repeated] = keys()
  expect(lost).toMatch(/^[\da-f-]{36}$/u)
  expect(repeated).toBe(lost)
  expect(sent()).toMatchObject([
    { accept_duplicate: false, sum: 50 },
    { accept_duplicate: true, sum: 50 },
    { accept_duplicate: false, sum: 50 },
  ])
})

it('asks about nothing that is no longer in the form, and says why it was not added', async () => {
  const slow = gate()
  const user = await addTwice(inCart)
  await user.click(within(await question()).getByRole('button', { name: 'Не додавати' }))
  refuse(
    'post',
    '/api/cart/add',
    409,
    { message: 'payment_duplicate', duplicate: inCart },
    { after: slow.passed },
  )
  await user.click(addButton())
  await waitFor(() => expect(sent()).toHaveLength(2))
  await user.type(await nameField(), 'а')
  slow.open()
  expect(await screen.findByText('Такий платіж уже є. Додайте ще раз, щоб порівняти')).toBeVisible()
  expect(screen.queryByRole('dialog')).toBeNull()
})
