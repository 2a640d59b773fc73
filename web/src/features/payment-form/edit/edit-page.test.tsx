import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'

import { queryClient } from '@/api/query-client'
import type { components } from '@/api/schema'
import { session } from '@/api/session'
import { gate } from '@/testing/gate'
import { renderRoute } from '@/testing/render-route'
import { cart, cartItem, koval, olena } from '@/testing/samples'
import { answer, callsOf, lose, refuse, startServer } from '@/testing/server'

startServer()

type EditableItem = components['schemas']['EditableItem']

const choices = {
  payment_type_option: { id: 'ownership', name: 'Реєстрація права власності' },
  payment_type_option_term: { id: 'ownership-5wd', period: '5 робочих днів' },
  payment_type_requisite: {
    id: 'kyiv-1',
    name: 'ГУК у м.Києві/Голосіїв.р-н/22012600',
    iban: 'UA848999980999022012600300051',
    okpo: '37993783',
  },
}

/** A fee with another own account than that of the profile. */
const fee: EditableItem = {
  item: {
    client: koval,
    ...choices,
    recipient_name: null,
    iban: 'UA213223130000026007233566001',
    okpo: '3068208400',
    purpose: '101 Адміністративний збір',
    cbc_code: '22012600',
    filing_year: null,
    requisites_template: null,
    sum_base: 330,
    count: 1,
  },
  payment_data: {
    payment_type: { id: 'admin', slug: 'admin_payment' },
    payment_type_region: { id: 'ua-30', name: 'м. Київ' },
    ...choices,
    changed: false,
  },
  version: 'version-1',
}

/** Any requisites, three units. */
const free: EditableItem = {
  item: {
    ...fee.item,
    payment_type_option: null,
    payment_type_option_term: null,
    payment_type_requisite: null,
    recipient_name: 'ТОВ «Приклад»',
    okpo: '37193071',
    purpose: `Оренда, ${koval.inn}`,
    cbc_code: null,
    filing_year: null,
    sum_base: 100,
    count: 3,
  },
  payment_data: {
    payment_type: { id: 'requisites', slug: 'requisites_payment' },
    payment_type_region: null,
    payment_type_option: null,
    payment_type_option_term: null,
    payment_type_requisite: null,
    changed: false,
  },
  version: 'version-1',
}

const inCart = cartItem({
  payment_type: { id: 'requisites', slug: 'requisites_payment' },
  payment_type_option: null,
  payment_type_option_term: null,
  payment_type_requisite: null,
  recipient_name: 'ТОВ «Приклад»',
})
const changedCart = {
  ...cart({ ...inCart, purpose: `Оренда зали, ${koval.inn}` }),
  mended_full_name: null,
}

beforeEach(() => {
  session.close()
  sessionStorage.clear()
  answer('get', '/api/payment-types', {
    payment_types: [
      { id: 'admin', slug: 'admin_payment' },
      { id: 'requisites', slug: 'requisites_payment' },
    ],
  })
  answer('get', '/api/payment-types/fields', {
    options: [
      {
        ...choices.payment_type_option,
        additional_data: { tariff: null, stale: null, outdated_from: null, next_year: null },
      },
      {
        id: 'encumbrance',
        name: 'Реєстрація обтяження',
        additional_data: { tariff: null, stale: null, outdated_from: null, next_year: null },
      },
    ],
    regions: [{ id: 'ua-30', name: 'м. Київ' }],
  })
  answer('get', '/api/payment-types/option/terms', {
    terms: [
      {
        ...choices.payment_type_option_term,
        tax: 330,
        budget_code: '22012600',
        stale: null,
        outdated_from: null,
        next_year: null,
      },
    ],
  })
  answer('get', '/api/payment-types/region/requisites', {
    requisites: [
      { ...choices.payment_type_requisite, budget_code: '22012600', demonstration: false, unconfirmed: null },
    ],
  })
  answer('get', '/api/payment-types/requisites/templates', {
    requisites_templates: [],
    payment_codes: ['101'],
  })
  answer('get', '/api/cart/client/last', { client: null })
  answer('post', '/api/book/clients/search', { clients: [], next: null })
  answer('get', '/api/book/recipients', { recipients: [] })
  answer('get', '/api/cart/item/{id}', free)
  answer('get', '/api/cart', cart(inCart))
  answer('post', '/api/cart/item/edit', changedCart)
})

const ADDRESS = '/cart/item/item-1'

type User = Awaited<ReturnType<typeof renderRoute>>['user']

const nameField = () => screen.findByLabelText('Прізвище, ім’я, по батькові клієнта')
const purposeField = () => screen.findByLabelText('Призначення платежу')
const saveButton = () => screen.getByRole('button', { name: 'Зберегти зміни' })
const saved = () => callsOf('/api/cart/item/edit').map(({ body }) => body)

async function retype(user: User, field: HTMLElement, text: string) {
  await user.clear(field)
  await user.type(field, text)
}

/** Types another purpose. */
async function changePurpose(user: User) {
  await retype(user, await purposeField(), `Оренда зали, ${koval.inn}`)
}

/** Simulates a reload: only the storage of the tab is kept. */
async function reload() {
  const kept = { ...sessionStorage }
  cleanup()
  sessionStorage.clear()
  for (const [key, value] of Object.entries(kept)) sessionStorage.setItem(key, String(value))
  return renderRoute(ADDRESS)
}

describe('a payment of the cart', () => {
  it('opens with everything of a fee, its own account included', async () => {
    answer('get', '/api/cart/item/{id}', fee)
    await renderRoute(ADDRESS)
    expect(await nameField()).toHaveValue(koval.full_name)
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Зміна платежу')
    await waitFor(() => expect(document.title).toMatch(/^Зміна платежу/u))
    expect(screen.getByLabelText('Код клієнта')).toHaveValue(koval.inn)
    await waitFor(() => expect(screen.getByLabelText('Послуга')).toHaveDisplayValue(/власності/u))
    await waitFor(() =>
      expect(screen.getByLabelText('Строк реєстрації')).toHaveDisplayValue(/5 робочих днів/u),
    )
    await waitFor(() => expect(screen.getByLabelText('Отримувач')).toHaveDisplayValue(/Голосіїв/u))
    expect(screen.getByText(/^UA21 3223 1300 0002 6007 2335 6600 1$/u)).toBeVisible()
    expect(screen.getByText('3068208400')).toBeVisible()
    expect(callsOf('/api/cart/item/{id}')[0]?.params).toMatchObject({ id: 'item-1' })
  })

  it('keeps its year of filing', async () => {
    answer('get', '/api/cart/item/{id}', { ...fee, item: { ...fee.item, filing_year: 2027, sum_base: 350 } })
    answer('get', '/api/payment-types/option/terms', {
      terms: [
        {
          ...choices.payment_type_option_term,
          tax: 330,
          budget_code: '22012600',
          stale: null,
          outdated_from: null,
          next_year: { year: 2027, amount: 350 },
        },
      ],
    })
    const { user } = await renderRoute(ADDRESS)
    expect(await screen.findByLabelText('Рік подання')).toHaveDisplayValue(/2027/u)
    await retype(user, await nameField(), 'Коваль Олена Іванівна')
    await user.click(saveButton())
    await waitFor(() =>
      expect(saved()[0]).toMatchObject({ payment: { filing_year: 2027, amount: 350, sum: 370 } }),
    )
  })

  it('comes back changed: it is saved once and the cart shows its row', async () => {
    const { user, address } = await renderRoute('/cart')
    await user.click(await screen.findByRole('link', { name: 'Змінити: ТОВ «Приклад»' }))
    expect(address()).toBe(ADDRESS)
    await changePurpose(user)
    expect(screen.getByText(/Кількість у кошику: 3, разом 330,00/u)).toBeVisible()
    await user.click(saveButton())
    await waitFor(() => expect(address()).toBe('/cart#item-item-1'))
    expect(saved()).toEqual([
      {
        cart_item_id: 'item-1',
        version: 'version-1',
        payment: expect.objectContaining({
          purpose: `Оренда зали, ${koval.inn}`,
          client: expect.objectContaining({ inn: koval.inn, full_name: koval.full_name }),
          amount: 100,
          sum: 110,
        }),
      },
    ])
    const row = await screen.findByText(`Оренда зали, ${koval.inn}`)
    await waitFor(() => expect(row.closest('[tabindex]')).toHaveFocus())
    expect(screen.getByText('Зміни платежу збережено')).toBeVisible()
    expect(sessionStorage.getItem('cabinet.draft item item-1')).toBeNull()
  })

  it('holds its fields while it is saved, and gives the focus back where it is not', async () => {
    const end = gate()
    refuse('post', '/api/cart/item/edit', 500, { message: 'internal_error' }, { after: end.passed })
    const { user } = await renderRoute(ADDRESS)
    await changePurpose(user)
    await user.click(await nameField())
    await user.keyboard('{Enter}')
    expect(await nameField()).toBeDisabled()
    end.open()
    await waitFor(async () => expect(await nameField()).toBeEnabled())
    await waitFor(async () => expect(await nameField()).toHaveFocus())
  })

  it('keeps what was changed when the notary signs in again in another tab', async () => {
    const { user } = await renderRoute(ADDRESS)
    await changePurpose(user)
    const item = gate()
    answer('get', '/api/cart/item/{id}', async () => {
      await item.passed
      return free
    })
    const read = act(() => queryClient.resetQueries())
    await waitFor(() => expect(screen.queryByLabelText('Призначення платежу')).not.toBeInTheDocument())
    item.open()
    await read
    expect(await purposeField()).toHaveValue(`Оренда зали, ${koval.inn}`)
  })

  it('that is saved after its page was left brings nobody back', async () => {
    const end = gate()
    answer('post', '/api/cart/item/edit', async () => {
      await end.passed
      return changedCart
    })
    answer('get', '/api/order', { orders: [], next: null })
    const { user, go, address } = await renderRoute(ADDRESS)
    await changePurpose(user)
    await user.click(saveButton())
    await go('/archive')
    end.open()
    expect(await screen.findByText('Зміни платежу збережено')).toBeVisible()
    expect(address()).toBe('/archive')
  })

  it('stays as it is with «Не змінювати», and the cart shows its row', async () => {
    const { user, address } = await renderRoute(ADDRESS)
    await changePurpose(user)
    await user.click(screen.getByRole('link', { name: 'Не змінювати' }))
    await waitFor(() => expect(address()).toBe('/cart#item-item-1'))
    expect(saved()).toEqual([])
    expect(sessionStorage.getItem('cabinet.draft item item-1')).toBeNull()
    await waitFor(() => expect(document.activeElement?.id).toBe('item-item-1'))
  })

  it('says what the server refuses at the field, and keeps what is typed', async () => {
    refuse('post', '/api/cart/item/edit', 422, {
      message: 'purpose_must_contains_ipn',
      errors: { purpose: ['purpose_must_contains_ipn'] },
    })
    const { user } = await renderRoute(ADDRESS)
    await changePurpose(user)
    await user.click(saveButton())
    const text = 'Призначення має містити код клієнта або ваш код'
    expect(await screen.findByRole('link', { name: text })).toBeVisible()
    expect(await purposeField()).toHaveValue(`Оренда зали, ${koval.inn}`)
  })

  it('asks before it is saved at another price', async () => {
    const price = { amount: 100, commission: 20, sum: 120 }
    refuse('post', '/api/cart/item/edit', 409, { message: 'price_changed', price })
    const { user, address } = await renderRoute(ADDRESS)
    await changePurpose(user)
    await user.click(saveButton())
    const accept = await screen.findByRole('button', { name: /^Зберегти за 120,00/u })
    answer('post', '/api/cart/item/edit', changedCart)
    await user.click(accept)
    await waitFor(() => expect(address()).toBe('/cart#item-item-1'))
    expect(saved()[1]).toMatchObject({ payment: { sum: 120 } })
  })

  it('says what is not offered any more', async () => {
    answer('get', '/api/cart/item/{id}', {
      ...fee,
      payment_data: { ...fee.payment_data, payment_type_requisite: null, changed: true },
    })
    await renderRoute(ADDRESS)
    expect(await screen.findByText('Деякі дані платежу вже недоступні')).toBeVisible()
    await waitFor(() => expect(screen.getByLabelText('Отримувач')).toHaveValue(''))
  })

  it('is offered for a change where today’s price can’t be accepted', async () => {
    answer('get', '/api/cart', cart({ ...inCart, change: { message: 'fee_not_in_force', price: null } }))
    await renderRoute('/cart')
    expect(await screen.findByRole('link', { name: 'Змінити платіж' })).toHaveAttribute('href', ADDRESS)
  })
})

describe('what is typed', () => {
  it('outlasts a reload, and the cart’s data come back on demand', async () => {
    const page = await renderRoute(ADDRESS)
    await changePurpose(page.user)
    const { user } = await reload()
    expect(await purposeField()).toHaveValue(`Оренда зали, ${koval.inn}`)
    await user.click(screen.getByRole('button', { name: 'Повернути дані з кошика' }))
    expect(await purposeField()).toHaveValue(`Оренда, ${koval.inn}`)
    expect(screen.queryByText('Продовжено незбережені зміни')).not.toBeInTheDocument()
    await waitFor(() => expect(screen.getByRole('heading', { level: 1 })).toHaveFocus())
    await waitFor(() => expect(sessionStorage.getItem('cabinet.draft item item-1')).toBeNull())
  })

  it('is saved by the same request after the answer was lost', async () => {
    lose('post', '/api/cart/item/edit', 1)
    const { user, address } = await renderRoute(ADDRESS)
    await changePurpose(user)
    await user.click(saveButton())
    expect(await screen.findByText('Сервер не підтвердив збереження')).toBeVisible()
    answer('post', '/api/cart/item/edit', changedCart)
    await user.click(saveButton())
    await waitFor(() => expect(address()).toBe('/cart#item-item-1'))
    expect(saved()[1]).toEqual(saved()[0])
  })

  it('does not touch the new payment that was begun before', async () => {
    const { user, go } = await renderRoute('/')
    await user.type(await nameField(), 'Мельник Іван')
    await go(ADDRESS)
    expect(await purposeField()).toHaveValue(`Оренда, ${koval.inn}`)
    expect(await nameField()).toHaveValue(koval.full_name)
    await changePurpose(user)
    await user.click(saveButton())
    await screen.findByText(`Оренда зали, ${koval.inn}`)
    await go('/')
    expect(await nameField()).toHaveValue('Мельник Іван')
  })

  it('belongs to its item and its notary', async () => {
    const { user, go } = await renderRoute(ADDRESS)
    await changePurpose(user)
    await go('/cart/item/item-2')
    await waitFor(async () => expect(await purposeField()).toHaveValue(`Оренда, ${koval.inn}`))
    await go(ADDRESS)
    await waitFor(async () => expect(await purposeField()).toHaveValue(`Оренда зали, ${koval.inn}`))
    cleanup()
    await renderRoute(ADDRESS, { notary: { ...olena, id: 'notary-2' } })
    expect(await purposeField()).toHaveValue(`Оренда, ${koval.inn}`)
  })
})

describe('a payment that was changed elsewhere', () => {
  const theirs = { ...free, version: 'version-2', item: { ...free.item, purpose: `Суборенда, ${koval.inn}` } }

  async function meetConflict() {
    const page = await renderRoute(ADDRESS)
    await changePurpose(page.user)
    refuse('post', '/api/cart/item/edit', 409, { message: 'cart_item_changed' })
    answer('get', '/api/cart/item/{id}', theirs)
    await page.user.click(saveButton())
    expect(await screen.findByText(/тим часом змінено в іншій вкладці/u)).toBeVisible()
    expect(await purposeField()).toHaveValue(`Оренда зали, ${koval.inn}`)
    return page
  }

  it('is shown as it is now', async () => {
    const { user } = await meetConflict()
    await user.click(screen.getByRole('button', { name: 'Показати дані з кошика' }))
    await waitFor(async () => expect(await purposeField()).toHaveValue(`Суборенда, ${koval.inn}`))
    expect(screen.queryByText(/тим часом змінено/u)).not.toBeInTheDocument()
  })

  it('is overwritten only on demand', async () => {
    const { user, address } = await meetConflict()
    answer('post', '/api/cart/item/edit', changedCart)
    await user.click(screen.getByRole('button', { name: 'Зберегти мої зміни' }))
    await waitFor(() => expect(address()).toBe('/cart#item-item-1'))
    expect(saved().at(-1)).toMatchObject({
      version: 'version-2',
      payment: { purpose: `Оренда зали, ${koval.inn}` },
    })
  })

  it('is overwritten also where the price is asked about first', async () => {
    const { user, address } = await meetConflict()
    const price = { amount: 100, commission: 20, sum: 120 }
    refuse('post', '/api/cart/item/edit', 422, { message: 'price_changed', price })
    await user.click(screen.getByRole('button', { name: 'Зберегти мої зміни' }))
    const accept = await screen.findByRole('button', { name: /^Зберегти за 120,00/u })
    answer('post', '/api/cart/item/edit', changedCart)
    await user.click(accept)
    await waitFor(() => expect(address()).toBe('/cart#item-item-1'))
    expect(saved().at(-1)).toMatchObject({ version: 'version-2', payment: { sum: 120 } })
  })

  it('is found out as soon as an earlier draft is opened', async () => {
    const page = await renderRoute(ADDRESS)
    await changePurpose(page.user)
    answer('get', '/api/cart/item/{id}', theirs)
    await reload()
    expect(await screen.findByText(/тим часом змінено в іншій вкладці/u)).toBeVisible()
    expect(await purposeField()).toHaveValue(`Оренда зали, ${koval.inn}`)
  })
})

describe('a payment that has left the cart', () => {
  const gone = 'Цей платіж уже замовлено або видалено з кошика. Зміни не збережено'

  it('says so instead of a form', async () => {
    refuse('get', '/api/cart/item/{id}', 409, { message: 'cart_item_gone' })
    await renderRoute(ADDRESS)
    const notice = await screen.findByRole('alert')
    expect(within(notice).getByText(gone)).toBeVisible()
    expect(within(notice).getByRole('link', { name: 'До кошика' })).toHaveAttribute('href', '/cart')
    expect(screen.queryByRole('button', { name: 'Зберегти зміни' })).not.toBeInTheDocument()
  })

  it('leaves what was typed, which can become a new payment', async () => {
    const { user, address } = await renderRoute(ADDRESS)
    await changePurpose(user)
    refuse('post', '/api/cart/item/edit', 409, { message: 'cart_item_gone' })
    await user.click(saveButton())
    expect(await screen.findByText(gone)).toBeVisible()
    expect(await purposeField()).toHaveValue(`Оренда зали, ${koval.inn}`)
    await user.click(screen.getByRole('button', { name: 'Перенести до нового платежу' }))
    await waitFor(() => expect(address()).toBe('/'))
    expect(await purposeField()).toHaveValue(`Оренда зали, ${koval.inn}`)
    expect(await nameField()).toHaveValue(koval.full_name)
  })

  it('does not replace a new payment that is being typed', async () => {
    const { user, go } = await renderRoute('/')
    await user.type(await nameField(), 'Мельник Іван')
    refuse('get', '/api/cart/item/{id}', 404, { message: 'cart_item_not_found' })
    await go(ADDRESS)
    expect(await screen.findByText(gone)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Перенести до нового платежу' })).not.toBeInTheDocument()
  })
})

it('a payment that did not come is read again on demand, and one save is one request', async () => {
  refuse('get', '/api/cart/item/{id}', 503, { message: 'service_unavailable' })
  const { user, address } = await renderRoute(ADDRESS)
  expect(await screen.findByText('Платіж не вдалося відкрити')).toBeVisible()
  answer('get', '/api/cart/item/{id}', free)
  await user.click(screen.getByRole('button', { name: 'Спробувати ще раз' }))
  await changePurpose(user)
  const slow = gate()
  answer('post', '/api/cart/item/edit', async () => {
    await slow.passed
    return changedCart
  })
  await user.dblClick(saveButton())
  slow.open()
  await waitFor(() => expect(address()).toBe('/cart#item-item-1'))
  expect(saved()).toHaveLength(1)
})
