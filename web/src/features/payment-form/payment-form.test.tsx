import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'

import { queryClient } from '@/api/query-client'
import type { components } from '@/api/schema'
import { session } from '@/api/session'
import { userQuery } from '@/api/user'
import { switchLocale } from '@/i18n/i18n'
import { arrivingClient, keepArrivingClient } from '@/lib/arriving-client'
import { gate } from '@/testing/gate'
import { renderRoute } from '@/testing/render-route'
import { cart, cartItem, config, koval, olena, orderItem } from '@/testing/samples'
import { answer, answersArrived, callsOf, lose, refuse, startServer, tellReadiness } from '@/testing/server'

startServer()

type Terms = components['schemas']['Terms']['terms']

const ownershipTerms: Terms = [
  {
    id: 'ownership-5wd',
    period: '5 робочих днів',
    tax: 330,
    budget_code: '22012600',
    stale: null,
    outdated_from: null,
    next_year: null,
  },
  {
    id: 'ownership-2h',
    period: '2 години',
    tax: 16_640,
    budget_code: '22012900',
    stale: null,
    outdated_from: null,
    next_year: null,
  },
]
const encumbranceTerms: Terms = [
  {
    id: 'encumbrance-day',
    period: 'у день подання',
    tax: 170,
    budget_code: '22012600',
    stale: null,
    outdated_from: null,
    next_year: null,
  },
]

const holosiiv = {
  id: 'kyiv-1',
  name: 'ГУК у м.Києві/Голосіїв.р-н/22012600',
  iban: 'UA848999980999022012600300051',
  okpo: '37993783',
  budget_code: '22012600',
  demonstration: true,
  unconfirmed: null,
}
const shevchenko = { ...holosiiv, id: 'kyiv-2', name: 'ГУК у м.Києві/Шевченк.р-н/22012600' }

const duty = {
  id: 'state-duty',
  title: 'Державне мито',
  amount: 34,
  recipient_name: 'ГУК у м.Києві/22090100',
  recipient_iban: 'UA908999980314010537000026011',
  recipient_code: '37993783',
  comment: '101 Державне мито; {clientName}; код {clientIPN}',
  cbc_code: '22090100',
  account_cbc_codes: ['22090100'],
}

beforeEach(() => {
  session.close()
  answer('get', '/api/payment-types', {
    payment_types: [
      { id: 'admin', slug: 'admin_payment' },
      { id: 'admin-government', slug: 'admin_government_payment' },
      { id: 'registry', slug: 'registry_payment' },
      { id: 'requisites', slug: 'requisites_payment' },
    ],
  })
  answer('get', '/api/payment-types/fields', ({ query }) => ({
    options:
      query['payment_type_id'] === 'registry'
        ? [
            {
              id: 'extract',
              name: 'Витяг',
              additional_data: { tariff: 40, stale: null, outdated_from: null, next_year: null },
            },
          ]
        : [
            {
              id: 'ownership',
              name: 'Реєстрація права власності',
              additional_data: { tariff: null, stale: null, outdated_from: null, next_year: null },
            },
            {
              id: 'encumbrance',
              name: 'Реєстрація обтяження',
              additional_data: { tariff: null, stale: null, outdated_from: null, next_year: null },
            },
          ],
    regions: [
      { id: 'ua-30', name: 'м. Київ' },
      { id: 'ua-43', name: 'АР Крим' },
    ],
  }))
  answer('get', '/api/payment-types/option/terms', ({ query }) => ({
    terms: query['payment_type_option_id'] === 'ownership' ? ownershipTerms : encumbranceTerms,
  }))
  answer('get', '/api/payment-types/region/requisites', ({ query }) => ({
    requisites: query['payment_type_region_id'] === 'ua-30' ? [holosiiv, shevchenko] : [],
  }))
  answer('get', '/api/payment-types/requisites/templates', {
    requisites_templates: [duty],
    payment_codes: ['101', '121'],
  })
  answer('get', '/api/cart/client/last', { client: null })
  answer('post', '/api/book/clients/search', { clients: [], next: null })
  answer('get', '/api/book/recipients', { recipients: [] })
  answer('get', '/api/payment-types/last-choices', {
    payment_type_option_term_id: null,
    payment_type_region_id: null,
    payment_type_requisite_id: null,
  })
  answer('get', '/api/cart', cart(cartItem()))
  answer('post', '/api/cart/add', { items_count: 1, item_id: 'item-1', mended_full_name: null })
})

type User = Awaited<ReturnType<typeof renderRoute>>['user']

const field = (label: RegExp | string) => screen.getByLabelText(label)
const nameField = () => screen.findByLabelText('Прізвище, ім’я, по батькові клієнта')
const codeField = () => field('Код клієнта')
const legalEntity = () => screen.findByRole('checkbox', { name: 'Платник – юридична особа' })
/** The line of the profile's account, which is shown in place of its fields. */
const ownAccountLine = () => screen.getByText(/^UA[\d ]+$/u).closest('dl')
const addButton = () => screen.getByRole('button', { name: 'Додати до кошика' })

async function typeClient(user: User) {
  await user.type(await nameField(), koval.full_name)
  await user.type(codeField(), koval.inn)
}

/** Chooses an option of a select as soon as it is there. */
async function choose(user: User, label: string, line: RegExp) {
  const option = await within(await screen.findByLabelText(label)).findByRole('option', { name: line })
  await user.selectOptions(field(label), option)
}

async function fillFee(user: User) {
  await typeClient(user)
  await choose(user, 'Послуга', /власності/u)
  await choose(user, 'Строк реєстрації', /5 робочих днів/u)
  await choose(user, 'Регіон', /Київ/u)
  await choose(user, 'Отримувач', /Голосіїв/u)
}

const sent = () => callsOf('/api/cart/add').map(({ body }) => body)

it('says at the kinds where state duty is paid', async () => {
  await renderRoute('/')
  expect(await screen.findByRole('radio', { name: 'Платіж за реквізитами' })).toHaveAccessibleDescription(
    'і державне мито',
  )
})

describe('an administrative fee', () => {
  it('stands in one line where it is as the last time, which one press opens', async () => {
    answer('get', '/api/payment-types/last-choices', {
      payment_type_option_term_id: 'ownership-5wd',
      payment_type_region_id: 'ua-30',
      payment_type_requisite_id: holosiiv.id,
    })
    const { user } = await renderRoute('/')
    await typeClient(user)
    await choose(user, 'Послуга', /власності/u)
    const line = await screen.findByRole('group', { name: 'Як минулого разу' })
    expect(line).toHaveTextContent(`5 робочих днів, м. Київ, ${holosiiv.name}`)
    for (const label of ['Строк реєстрації', 'Регіон', 'Отримувач'])
      expect(screen.queryByLabelText(label)).toBeNull()
    act(() => field('Послуга').focus())
    await user.tab()
    await user.keyboard('{Enter}')
    expect(field('Строк реєстрації')).toHaveFocus()
    expect(field('Отримувач')).toHaveValue(holosiiv.id)
    await choose(user, 'Отримувач', /Шевченк/u)
    expect(screen.queryByRole('group', { name: 'Як минулого разу' })).toBeNull()
    await user.click(addButton())
    await waitFor(() => expect(sent()).toMatchObject([{ payment_type_requisite_id: shevchenko.id }]))
  })

  it('keeps the district where another term needs its account of another code', async () => {
    const urgent = {
      ...holosiiv,
      id: 'kyiv-1-900',
      name: 'ГУК у м.Києві/Голосіїв.р-н/22012900',
      budget_code: '22012900',
    }
    const others = { ...urgent, id: 'kyiv-2-900', name: 'ГУК у м.Києві/Шевченк.р-н/22012900' }
    answer('get', '/api/payment-types/region/requisites', ({ query }) => ({
      requisites:
        query['payment_type_option_term_id'] === 'ownership-2h' ? [others, urgent] : [holosiiv, shevchenko],
    }))
    const { user } = await renderRoute('/')
    await fillFee(user)
    await choose(user, 'Строк реєстрації', /2 години/u)
    await waitFor(() => expect(field('Отримувач')).toHaveDisplayValue(urgent.name))
  })

  it('is filled in, priced and added; the form is empty again and the cart is one link away', async () => {
    const { user } = await renderRoute('/')
    await nameField()
    expect(field('Адміністративний збір')).toBeChecked()
    expect(ownAccountLine()).toHaveTextContent('UA22 3052 9900 0002 6001 2345 6789 0')

    await fillFee(user)
    expect(screen.getByRole('region', { name: 'Разом до сплати' })).toHaveTextContent(/350,00 грн/u)
    expect(screen.getByText(/60 % на ваш рахунок/u).nextSibling).toHaveTextContent('198,00 грн')
    expect(screen.getByText(/Демонстраційний рахунок/u)).toBeVisible()
    expect(callsOf('/api/payment-types/region/requisites').at(-1)?.query).toEqual({
      payment_type_region_id: 'ua-30',
      payment_type_id: 'admin',
      payment_type_option_term_id: 'ownership-5wd',
    })

    await user.click(addButton())
    const confirmation = (await screen.findByText('Платіж додано до кошика')).closest('[tabindex="-1"]')
    await waitFor(() => expect(confirmation).toHaveFocus())
    expect(sent()).toEqual([
      {
        client: { inn: koval.inn, full_name: koval.full_name },
        payment_type_id: 'admin',
        payment_type_option_id: 'ownership',
        payment_type_option_term_id: 'ownership-5wd',
        payment_type_region_id: 'ua-30',
        payment_type_requisite_id: 'kyiv-1',
        iban: olena.iban,
        okpo: olena.okpo,
        amount: 330,
        sum: 350,
        accept_duplicate: false,
      },
    ])
    expect(await nameField()).toHaveValue('')
    expect(field('Послуга')).toHaveValue('')
    expect(screen.getByRole('link', { name: 'До кошика' })).toHaveAttribute('href', '/cart')
    expect(screen.getByRole('link', { name: 'Кошик: 1 платіж' })).toBeVisible()

    await user.click(screen.getByRole('button', { name: 'Ще один платіж цього клієнта' }))
    expect(await nameField()).toHaveValue(koval.full_name)
    expect(codeField()).toHaveValue(koval.inn)
  })

  it('an account that nobody has confirmed this year says so in one line', async () => {
    const old = { ...holosiiv, demonstration: false, unconfirmed: { confirmed_on: '2025-11-30' } }
    const never = { ...shevchenko, demonstration: false, unconfirmed: { confirmed_on: null } }
    answer('get', '/api/payment-types/region/requisites', { requisites: [old, never] })
    const { user } = await renderRoute('/')
    await fillFee(user)
    expect(
      screen.getByText('Рахунок востаннє звірено 30.11.2025. Перевірте, чи він не змінився цього року.'),
    ).toBeVisible()
    await choose(user, 'Отримувач', /Шевченк/u)
    expect(screen.getByText('Цього року рахунок ще не звірено. Перевірте, чи він не змінився.')).toBeVisible()
    expect(screen.queryByText(/востаннє/u)).not.toBeInTheDocument()
  })

  it('can be taken back, with everything typed', async () => {
    answer('post', '/api/cart/item/delete', { items_count: 0 })
    const { user } = await renderRoute('/')
    await fillFee(user)
    await user.click(addButton())
    await user.click(await screen.findByRole('button', { name: 'Скасувати додавання' }))
    await waitFor(() => expect(field('Прізвище, ім’я, по батькові клієнта')).toHaveValue(koval.full_name))
    expect(field('Отримувач')).toHaveValue('kyiv-1')
    expect(callsOf('/api/cart/item/delete')[0]?.body).toEqual({ cart_item_id: 'item-1' })
    await waitFor(() => expect(screen.getByRole('heading', { level: 1 })).toHaveFocus())
  })

  it('takes the only term by itself and forgets what hung on another option', async () => {
    const { user } = await renderRoute('/')
    await fillFee(user)
    await choose(user, 'Послуга', /обтяження/u)
    await waitFor(() => expect(field('Строк реєстрації')).toHaveDisplayValue(/у день подання/u))
    expect(field('Отримувач')).toHaveValue('')
    expect(field('Регіон')).toHaveDisplayValue('м. Київ')
  })

  it('never shows the terms of an option that was left', async () => {
    const slow = gate()
    answer('get', '/api/payment-types/option/terms', async ({ query }) => {
      if (query['payment_type_option_id'] !== 'ownership') return { terms: encumbranceTerms }
      await slow.passed
      return { terms: ownershipTerms }
    })
    const { user } = await renderRoute('/')
    await choose(user, 'Послуга', /власності/u)
    expect(field('Строк реєстрації')).toHaveAttribute('aria-disabled', 'true')
    await choose(user, 'Послуга', /обтяження/u)
    await waitFor(() => expect(field('Строк реєстрації')).toHaveDisplayValue(/у день подання/u))
    slow.open()
    await answersArrived()
    expect(within(field('Строк реєстрації')).getAllByRole('option')).toHaveLength(2)
    expect(field('Строк реєстрації')).toHaveDisplayValue(/у день подання/u)
  })

  it('says what has to be chosen first, and that a region has no recipients', async () => {
    const { user } = await renderRoute('/')
    await nameField()
    expect(field('Строк реєстрації')).toHaveAccessibleDescription('Спершу виберіть послугу')
    expect(field('Отримувач')).toHaveAccessibleDescription('Спершу виберіть послугу')
    await choose(user, 'Послуга', /власності/u)
    expect(field('Отримувач')).toHaveAccessibleDescription('Спершу виберіть строк')
    await choose(user, 'Строк реєстрації', /2 години/u)
    await choose(user, 'Регіон', /Крим/u)
    await waitFor(() =>
      expect(field('Отримувач')).toHaveAccessibleDescription(/отримувачів для такого платежу немає/u),
    )
  })

  it('says that a list did not load and asks again', async () => {
    refuse('get', '/api/payment-types/option/terms', 503, { message: 'service_unavailable' })
    const { user } = await renderRoute('/')
    await choose(user, 'Послуга', /власності/u)
    expect(await screen.findByText('Список не вдалося завантажити')).toBeVisible()
    const slow = gate()
    answer('get', '/api/payment-types/option/terms', async () => {
      await slow.passed
      return { terms: ownershipTerms }
    })
    const again = screen.getByRole('button', { name: 'Спробувати ще раз' })
    await user.click(again)
    expect(again).toHaveFocus()
    slow.open()
    await waitFor(() => expect(field('Строк реєстрації')).toHaveFocus())
    expect(screen.queryByText('Список не вдалося завантажити')).not.toBeInTheDocument()
    await choose(user, 'Строк реєстрації', /5 робочих днів/u)
  })
})

describe('a payment of a register', () => {
  it('costs the tariff of its service', async () => {
    const { user } = await renderRoute('/')
    await typeClient(user)
    await user.click(field('Плата за користування реєстрами'))
    await choose(user, 'Послуга реєстру', /Витяг/u)
    await choose(user, 'Регіон', /Київ/u)
    await choose(user, 'Отримувач', /Голосіїв/u)
    expect(screen.getByRole('region', { name: 'Разом до сплати' })).toHaveTextContent(/50,00 грн/u)
    expect(screen.queryByLabelText('Строк реєстрації')).not.toBeInTheDocument()
    expect(screen.queryByLabelText('Ваш рахунок IBAN')).not.toBeInTheDocument()
    await user.click(addButton())
    await screen.findByText('Платіж додано до кошика')
    expect(sent()[0]).toMatchObject({ payment_type_id: 'registry', amount: 40, sum: 50 })
  })

  it('has its recipients as soon as the region is chosen, and keeps the one that was chosen', async () => {
    const { user } = await renderRoute('/')
    await nameField()
    await user.click(field('Плата за користування реєстрами'))
    expect(field('Отримувач')).toHaveAccessibleDescription('Спершу виберіть регіон')
    await choose(user, 'Регіон', /Київ/u)
    await choose(user, 'Отримувач', /Шевченк/u)
    await choose(user, 'Послуга реєстру', /Витяг/u)
    expect(field('Отримувач')).toHaveDisplayValue(/Шевченк/u)
    expect(callsOf('/api/payment-types/region/requisites').at(-1)?.query).toEqual({
      payment_type_region_id: 'ua-30',
      payment_type_id: 'registry',
    })
  })
})

async function openRequisites(user: User) {
  await typeClient(user)
  await user.click(screen.getByRole('radio', { name: 'Платіж за реквізитами' }))
}

describe('a payment to any requisites', () => {
  it('is filled from a template and follows the client', async () => {
    const { user } = await renderRoute('/')
    await openRequisites(user)
    await choose(user, 'Шаблон платежу (необов’язково)', /мито/u)
    expect(field('Призначення платежу')).toHaveValue(
      `101 Державне мито; ${koval.full_name}; код ${koval.inn}`,
    )
    expect(field('Сума')).toHaveValue('34,00')
    await user.clear(await nameField())
    await user.type(await nameField(), 'Мельник Іван')
    expect(field('Призначення платежу')).toHaveValue(`101 Державне мито; Мельник Іван; код ${koval.inn}`)
    await user.click(addButton())
    await screen.findByText('Платіж додано до кошика')
    expect(sent()[0]).toMatchObject({
      requisites_template: 'state-duty',
      recipient_name: duty.recipient_name,
      iban: duty.recipient_iban,
      okpo: duty.recipient_code,
      cbc_code: '22090100',
      purpose: `101 Державне мито; Мельник Іван; код ${koval.inn}`,
      amount: 34,
      sum: 44,
    })
  })

  it('shows what an old form of the purpose becomes, and sends that', async () => {
    const { user } = await renderRoute('/')
    await openRequisites(user)
    await choose(user, 'Шаблон платежу (необов’язково)', /мито/u)
    const purpose = field('Призначення платежу')
    await user.clear(purpose)
    await user.type(purpose, `*;101;${koval.inn};Державне мито;;;`)
    const inForce = `101 Державне мито, ${koval.inn}`
    expect(await screen.findByText(/не діє з 01.12.2023/u)).toBeVisible()
    expect(screen.getByText(inForce)).toBeVisible()
    await user.click(addButton())
    await screen.findByText('Платіж додано до кошика')
    expect(sent()[0]).toMatchObject({ purpose: inForce })
  })

  it('puts the form in force into the field on demand', async () => {
    const { user } = await renderRoute('/')
    await openRequisites(user)
    await choose(user, 'Шаблон платежу (необов’язково)', /мито/u)
    const purpose = field('Призначення платежу')
    await user.clear(purpose)
    await user.type(purpose, `*;101;${koval.inn};Державне мито;;;`)
    await user.click(await screen.findByRole('button', { name: 'Замінити в полі' }))
    expect(purpose).toHaveValue(`101 Державне мито, ${koval.inn}`)
    expect(purpose).toHaveFocus()
    expect(screen.queryByText(/не діє з 01.12.2023/u)).not.toBeInTheDocument()
  })

  it('takes only the code and the budget code of an account', async () => {
    const { user } = await renderRoute('/')
    await openRequisites(user)
    await choose(user, 'Шаблон платежу (необов’язково)', /мито/u)
    const code = field('Код отримувача (ЄДРПОУ або РНОКПП)')
    await user.clear(code)
    await user.type(code, koval.inn)
    await user.tab()
    await waitFor(() => expect(code).toHaveAccessibleDescription(/приймає лише код ЄДРПОУ/u))
    const budgetCode = field('Код класифікації доходів бюджету')
    await user.clear(budgetCode)
    await user.type(budgetCode, '11010500')
    await user.click(addButton())
    expect(budgetCode).toHaveAccessibleDescription(/не приймає платежів за таким кодом/u)
    expect(sent()).toEqual([])
  })

  it('loses nothing typed to another template: it can be had back', async () => {
    const fine = {
      ...duty,
      id: 'fine',
      title: 'Штраф',
      amount: null,
      recipient_name: 'ГУК у Львівській обл./21081100',
      comment: '101 Штраф; {clientName}; код {clientIPN}',
    }
    answer('get', '/api/payment-types/requisites/templates', {
      requisites_templates: [duty, fine],
      payment_codes: ['101', '121'],
    })
    const { user } = await renderRoute('/')
    await openRequisites(user)
    await choose(user, 'Шаблон платежу (необов’язково)', /мито/u)
    await choose(user, 'Шаблон платежу (необов’язково)', /Штраф/u)
    expect(field('Сума')).toHaveValue('')
    expect(screen.queryByText('Шаблон замінив введені дані')).not.toBeInTheDocument()

    await user.clear(field('Призначення платежу'))
    await user.type(field('Призначення платежу'), '101 Штраф за договором')
    await user.type(field('Сума'), '17')
    await choose(user, 'Шаблон платежу (необов’язково)', /мито/u)
    expect(field('Назва отримувача')).toHaveValue(duty.recipient_name)
    expect(field('Сума')).toHaveValue('34,00')
    expect(await screen.findByText('Шаблон замінив введені дані')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Повернути' }))
    expect(field('Призначення платежу')).toHaveValue('101 Штраф за договором')
    expect(field('Назва отримувача')).toHaveValue(fine.recipient_name)
    expect(field('Сума')).toHaveValue('17,00')
    expect(field('Шаблон платежу (необов’язково)')).toHaveValue('fine')
  })

  it('names the same client once more in a purpose that was begun before', async () => {
    const { user } = await renderRoute('/')
    await fillFee(user)
    await user.click(addButton())
    await screen.findByText('Платіж додано до кошика')
    await user.click(screen.getByRole('radio', { name: 'Платіж за реквізитами' }))
    await choose(user, 'Шаблон платежу (необов’язково)', /мито/u)
    await user.click(screen.getByRole('button', { name: 'Ще один платіж цього клієнта' }))
    expect(field('Призначення платежу')).toHaveValue(
      `101 Державне мито; ${koval.full_name}; код ${koval.inn}`,
    )
  })

  it('helps with the purpose of a budget account', async () => {
    const { user } = await renderRoute('/')
    await openRequisites(user)
    await user.type(field(/^Рахунок IBAN/u), 'UA908999980314010537000026011')
    expect(field('Код класифікації доходів бюджету')).toBeVisible()
    await user.type(field('Призначення платежу'), 'Мито')
    await user.click(screen.getByRole('button', { name: 'Почати з «101»' }))
    await user.click(screen.getByRole('button', { name: `Додати код клієнта ${koval.inn}` }))
    expect(field('Призначення платежу')).toHaveValue(`101 Мито ${koval.inn}`)
    expect(screen.queryByRole('button', { name: /^Додати код/u })).not.toBeInTheDocument()
    expect(field('Призначення платежу')).toHaveFocus()
  })

  it('keeps a purpose that is too long and says by how much', async () => {
    const { user } = await renderRoute('/')
    await openRequisites(user)
    await user.click(field('Призначення платежу'))
    await user.paste('я'.repeat(165))
    expect(screen.getByText('Зайвих символів: 5 (дозволено 160)')).toBeVisible()
    expect(field('Призначення платежу')).toHaveValue('я'.repeat(165))
  })

  it('reads a sum as one types it and counts with kopiykas', async () => {
    const { user } = await renderRoute('/')
    await openRequisites(user)
    await user.type(field('Сума'), '1 234,56')
    expect(screen.getByRole('region', { name: 'Разом до сплати' })).toHaveTextContent(/1 253,08 грн/u)
  })

  it('has its total and commission said politely', async () => {
    const { user } = await renderRoute('/')
    await openRequisites(user)
    const said = document.querySelector('[aria-live="polite"][aria-atomic="true"]')
    await user.type(field('Сума'), '1 234,56')
    await waitFor(() =>
      expect(said).toHaveTextContent(/^Разом до сплати 1 253,08 грн, у тому числі комісія 18,52 грн$/u),
    )
    await user.type(field('Сума'), '{Backspace}7')
    await waitFor(() => expect(said).toHaveTextContent(/1 253,09 грн, у тому числі комісія 18,52 грн/u))
  })

  it('tells a wrong account when it is left', async () => {
    const { user } = await renderRoute('/')
    await openRequisites(user)
    await user.type(field(/^Рахунок IBAN/u), 'UA918999980314010537000026011')
    await user.tab()
    expect(field(/^Рахунок IBAN/u)).toHaveAccessibleDescription(
      /Контрольне число рахунку IBAN не збігається/u,
    )
    expect(screen.queryByText('У формі є помилки')).not.toBeInTheDocument()
  })
})

describe('the client', () => {
  it('is read with Latin letters, and the form says so', async () => {
    const { user } = await renderRoute('/')
    await user.type(await screen.findByLabelText('Код клієнта'), 'kc 123456')
    expect(codeField()).toHaveAccessibleDescription(/Латинські літери прочитано як кириличні: КС123456/u)
  })

  it('with a wrong check digit is hinted at and not stopped', async () => {
    const { user } = await renderRoute('/')
    await user.type(await screen.findByLabelText('Код клієнта'), '1759013770')
    expect(codeField()).toHaveAccessibleDescription(/Контрольна цифра не збігається/u)
    expect(codeField()).not.toBeInvalid()
  })

  it('of ten identical digits stops the button, with the reason to be read', async () => {
    const { user } = await renderRoute('/')
    await user.type(await screen.findByLabelText('Код клієнта'), '1111111111')
    expect(addButton()).toHaveAttribute('aria-disabled', 'true')
    expect(addButton()).toHaveAccessibleDescription('Код не може складатися з десяти однакових цифр')
    await user.type(await nameField(), 'Коваль{Enter}')
    expect(sent()).toEqual([])
  })

  it('that acts for a legal entity is asked for its name and EDRPOU', async () => {
    const { user } = await renderRoute('/')
    await user.click(await screen.findByRole('checkbox', { name: 'Платник – юридична особа' }))
    await user.type(field('Код ЄДРПОУ'), koval.inn)
    await user.click(addButton())
    expect(field('Код ЄДРПОУ')).toHaveAccessibleDescription(
      /Код ЄДРПОУ юридичної особи складається з 8 цифр/u,
    )
    expect(field('Назва юридичної особи')).toHaveAccessibleDescription('Введіть назву юридичної особи')
    const summary = within(screen.getByRole('alert'))
    expect(
      summary.getByRole('link', { name: 'Код ЄДРПОУ юридичної особи складається з 8 цифр' }),
    ).toBeVisible()

    await user.clear(field('Код ЄДРПОУ'))
    await user.click(addButton())
    expect(field('Код ЄДРПОУ')).toHaveAccessibleDescription(/Введіть код ЄДРПОУ юридичної особи/u)

    await user.type(field('Код ЄДРПОУ'), '37993783')
    await user.click(addButton())
    expect(field('Код ЄДРПОУ')).not.toBeInvalid()
  })

  it('of a legal entity is asked for in English, too', async () => {
    const { user } = await renderRoute('/', { locale: 'en' })
    await user.click(await screen.findByRole('checkbox', { name: 'The payer is a legal entity' }))
    await user.type(field('EDRPOU code'), '123')
    await user.tab()
    expect(field('EDRPOU code')).toHaveAccessibleDescription(
      /The EDRPOU code of a legal entity has 8 digits/u,
    )
  })

  it('of the latest payment is offered', async () => {
    answer('get', '/api/cart/client/last', { client: { inn: koval.inn, full_name: koval.full_name } })
    const { user } = await renderRoute('/')
    await user.click(await screen.findByRole('button', { name: 'Підставити' }))
    expect(codeField()).toHaveValue(koval.inn)
    expect(screen.queryByRole('button', { name: 'Підставити' })).not.toBeInTheDocument()
    // The filled fields have the focus, not the top of the page.
    expect(document.activeElement).toContainElement(codeField())
    expect(document.body).not.toHaveFocus()
  })
})

describe('a form with mistakes', () => {
  it('names them all, takes the focus there and leads into each field', async () => {
    const { user } = await renderRoute('/')
    await nameField()
    await user.click(addButton())
    const summary = screen.getByRole('alert')
    expect(summary).toHaveFocus()
    expect(document.title).toMatch(/^Помилка: /u)
    expect(
      within(summary)
        .getAllByRole('link')
        .map(({ textContent }) => textContent),
    ).toEqual([
      'Введіть код клієнта',
      'Введіть прізвище, ім’я та по батькові клієнта',
      'Виберіть послугу',
      'Виберіть строк',
      'Виберіть регіон',
      'Виберіть отримувача',
    ])
    await user.click(within(summary).getByRole('link', { name: 'Виберіть регіон' }))
    expect(field('Регіон')).toHaveFocus()
    await user.type(await nameField(), 'К')
    expect(await nameField()).not.toBeInvalid()
    expect(codeField()).toBeInvalid()
    expect(sent()).toEqual([])
  })
})

it('takes the focus to the mistakes of the next payment, too', async () => {
  const { user } = await renderRoute('/')
  await nameField()
  await user.click(addButton())
  expect(screen.getByRole('alert')).toHaveFocus()
  await fillFee(user)
  await user.click(addButton())
  await screen.findByText('Платіж додано до кошика')
  await user.click(addButton())
  expect(screen.getByRole('alert')).toHaveFocus()
})

describe('the server’s answer', () => {
  it('stands at the field it is about, and nothing typed is lost', async () => {
    refuse('post', '/api/cart/add', 422, {
      message: 'requisite_not_for_term',
      errors: { payment_type_requisite_id: ['requisite_not_for_term'] },
    })
    const { user } = await renderRoute('/')
    await fillFee(user)
    await user.click(addButton())
    await waitFor(() => expect(field('Отримувач')).toBeInvalid())
    expect(field('Отримувач')).toHaveAccessibleDescription(/не приймає платежі/u)
    expect(field('Отримувач')).toHaveValue('kyiv-1')
    expect(codeField()).toHaveValue(koval.inn)
    await choose(user, 'Отримувач', /Шевченк/u)
    expect(field('Отримувач')).not.toBeInvalid()
  })

  it('about the price is shown and asked about', async () => {
    refuse(
      'post',
      '/api/cart/add',
      409,
      { message: 'price_changed', price: { amount: 350, commission: 20, sum: 370 } },
      { once: true },
    )
    const { user } = await renderRoute('/')
    await fillFee(user)
    await user.click(addButton())
    expect(
      await screen.findByText(/^Сьогодні: 350,00\sгрн і комісія 20,00\sгрн, разом 370,00\sгрн\.$/u),
    ).toBeVisible()
    await user.click(screen.getByRole('button', { name: /^Додати за 370,00/u }))
    expect(await screen.findByText('Платіж додано до кошика')).toBeVisible()
    expect(sent()).toMatchObject([
      { amount: 330, sum: 350 },
      { amount: 350, sum: 370 },
    ])
  })

  it('that is lost on the way costs nothing that was typed', async () => {
    lose('post', '/api/cart/add', 1)
    const { user } = await renderRoute('/')
    await fillFee(user)
    await user.click(addButton())
    expect(await screen.findByText('Сервер не підтвердив додавання')).toBeVisible()
    expect(field('Отримувач')).toHaveValue('kyiv-1')
    await user.click(addButton())
    expect(await screen.findByText('Платіж додано до кошика')).toBeVisible()

    // The repeat has the key of the first request. The same payment after it has another.
    await fillFee(user)
    await user.click(addButton())
    await waitFor(() => expect(callsOf('/api/cart/add')).toHaveLength(3))
    const [lost, repeated, next] = callsOf('/api/cart/add').map((call) => call.headers.get('idempotency-key'))
    expect(repeated).toBe(lost)
    expect(next).toMatch(/^[\da-f-]{36}$/u)
    expect(next).not.toBe(lost)
  })
})

async function seeChangedPrice() {
  const price = { amount: 34, commission: 20, sum: 54 }
  refuse('post', '/api/cart/add', 409, { message: 'price_changed', price }, { once: true })
  const { user } = await renderRoute('/')
  await openRequisites(user)
  await choose(user, 'Шаблон платежу (необов’язково)', /мито/u)
  await user.click(addButton())
  await screen.findByText('Сума змінилася')
  return user
}

describe('an answer about what has changed since', () => {
  it('leaves what was typed while a payment was being added, and the focus there', async () => {
    const slow = gate()
    answer('post', '/api/cart/add', async () => {
      await slow.passed
      return { items_count: 1, item_id: 'item-1', mended_full_name: null }
    })
    const { user } = await renderRoute('/')
    await fillFee(user)
    await user.click(addButton())
    await waitFor(() => expect(sent()).toHaveLength(1))
    await user.clear(await nameField())
    await user.type(await nameField(), 'Мельник Іван')
    slow.open()
    await screen.findByText('Платіж додано до кошика')
    expect(await nameField()).toHaveValue('Мельник Іван')
    await waitFor(async () => expect(await nameField()).toHaveFocus())
    expect(field('Отримувач')).toHaveValue('kyiv-1')
    expect(sessionStorage.getItem('cabinet.draft')).toContain('Мельник Іван')
  })

  it('keeps the next payment when the previous one is undone', async () => {
    answer('post', '/api/cart/item/delete', { items_count: 0 })
    const { user } = await renderRoute('/')
    await fillFee(user)
    await user.click(addButton())
    await screen.findByText('Платіж додано до кошика')
    await user.type(await nameField(), 'Мельник Іван')
    await user.click(screen.getByRole('button', { name: 'Скасувати додавання' }))
    expect(await screen.findByText('Платіж видалено з кошика')).toBeVisible()
    expect(await nameField()).toHaveValue('Мельник Іван')
    expect(screen.queryByText('Платіж додано до кошика')).not.toBeInTheDocument()
  })

  it('says of the next payment nothing that failed for the one before', async () => {
    lose('post', '/api/cart/item/delete', 1)
    const { user } = await renderRoute('/')
    await fillFee(user)
    await user.click(addButton())
    await user.click(await screen.findByRole('button', { name: 'Скасувати додавання' }))
    expect(await screen.findByText(/Немає зв’язку із сервером/u)).toBeVisible()
    await fillFee(user)
    await user.click(addButton())
    expect(await screen.findByText('Платіж додано до кошика')).toBeVisible()
    expect(screen.queryByText(/Немає зв’язку із сервером/u)).not.toBeInTheDocument()
  })

  it('offers a changed price whoever the client is, and refusing it leads back to the button', async () => {
    const user = await seeChangedPrice()
    // The client does not influence the price.
    await user.type(await nameField(), ' молодший')
    expect(screen.getByText('Сума змінилася')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Не додавати' }))
    expect(addButton()).toHaveFocus()
  })

  it('offers no price of another sum', async () => {
    const user = await seeChangedPrice()
    await user.clear(field('Сума'))
    await user.type(field('Сума'), '340')
    expect(screen.queryByText('Сума змінилася')).not.toBeInTheDocument()
  })

  it('says that the price has changed also where another sum was typed meanwhile', async () => {
    const slow = gate()
    const price = { amount: 34, commission: 20, sum: 54 }
    refuse('post', '/api/cart/add', 409, { message: 'price_changed', price }, { after: slow.passed })
    const { user } = await renderRoute('/')
    await openRequisites(user)
    await choose(user, 'Шаблон платежу (необов’язково)', /мито/u)
    await user.click(addButton())
    await waitFor(() => expect(sent()).toHaveLength(1))
    await user.type(field('Сума'), '{Backspace}5')
    slow.open()
    expect(
      await screen.findByText('Сума до сплати змінилася. Перевірте нову суму перед оплатою'),
    ).toBeVisible()
    expect(screen.queryByRole('button', { name: /^Додати за/u })).not.toBeInTheDocument()
  })
})

it('says that the connection is gone, and goes on when it is back', async () => {
  const { user } = await renderRoute('/')
  await fillFee(user)
  const connection = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  act(() => window.dispatchEvent(new Event('offline')))
  expect(addButton()).toHaveAccessibleDescription('Немає зв’язку з інтернетом')
  connection.mockReturnValue(true)
  act(() => window.dispatchEvent(new Event('online')))
  await user.click(addButton())
  expect(await screen.findByText('Платіж додано до кошика')).toBeVisible()
})

it('adds all the same where the browser says that there is no connection and the server answers', async () => {
  const { user } = await renderRoute('/')
  await fillFee(user)
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  tellReadiness(true)
  act(() => window.dispatchEvent(new Event('offline')))
  await waitFor(() => expect(addButton()).not.toHaveAccessibleDescription())
  await user.click(addButton())
  expect(await screen.findByText('Платіж додано до кошика')).toBeVisible()
})

const earlier: components['schemas']['Repeat'] = {
  order_item: {
    ...orderItem(),
    cbc_code: null,
    requisites_template: null,
    order: { id: 'order-1', client: koval },
  },
  payment_data: {
    payment_type: { id: 'admin', slug: 'admin_payment' },
    payment_type_option: { id: 'ownership', name: 'Реєстрація права власності' },
    payment_type_option_term: { id: 'ownership-5wd', period: '5 робочих днів' },
    payment_type_region: { id: 'ua-30', name: 'м. Київ' },
    payment_type_requisite: null,
    changed: true,
  },
}

/** Simulates the return from another tab, or to a connection. */
async function comeBack() {
  act(() => window.dispatchEvent(new Event('visibilitychange')))
  await waitFor(() => expect(queryClient.isFetching()).toBe(0))
}

describe('an arrival', () => {
  it('of a client while the form is open fills in the client, and gives back what was being typed', async () => {
    const { user } = await renderRoute('/')
    await user.type(await nameField(), 'Мельник Іван')
    await user.type(codeField(), '3184710691')
    act(() => keepArrivingClient(koval))
    expect(await nameField()).toHaveValue(koval.full_name)
    expect(codeField()).toHaveValue(koval.inn)
    expect(arrivingClient()).toBeNull()
    await user.click(await screen.findByRole('button', { name: 'Повернути введене' }))
    expect(await nameField()).toHaveValue('Мельник Іван')
  })

  it('of a company is a legal entity, and of a person is none', async () => {
    keepArrivingClient({ inn: '37193071', full_name: 'ТОВ «Приклад»' })
    await renderRoute('/')
    expect(await legalEntity()).toBeChecked()
    act(() => keepArrivingClient(koval))
    await waitFor(async () => expect(await legalEntity()).not.toBeChecked())
  })

  it('of a client beside an earlier payment reads that payment once', async () => {
    answer('get', '/api/order/item/{id}/repeat', earlier)
    keepArrivingClient({ inn: '3184710691', full_name: 'Мельник Іван' })
    const { address } = await renderRoute('/?repeat_item_id=item-1')
    expect(await nameField()).toHaveValue(koval.full_name)
    await waitFor(() => expect(address()).toBe('/'))
    expect(callsOf('/api/order/item/{id}/repeat')).toHaveLength(1)
    expect(arrivingClient()).toBeNull()
  })

  it('from the cart never has the client in the address', async () => {
    const { user, address } = await renderRoute('/cart')
    const addresses: string[] = []
    const note = () => {
      addresses.push(address())
      return { client: null }
    }
    answer('get', '/api/cart/client/last', note)
    await user.click(await screen.findByRole('button', { name: 'Додати платіж' }))
    expect(await nameField()).toHaveValue(koval.full_name)
    expect(addresses).toEqual(['/'])
  })

  it('with an earlier payment fills it in and says what has changed', async () => {
    answer('get', '/api/order/item/{id}/repeat', earlier)
    const { address } = await renderRoute('/?repeat_item_id=item-1')
    expect(await nameField()).toHaveValue(koval.full_name)
    await waitFor(() => expect(field('Строк реєстрації')).toHaveDisplayValue(/5 робочих днів/u))
    expect(screen.getByText('Деякі дані попереднього платежу вже недоступні')).toBeVisible()
    expect(callsOf('/api/order/item/{id}/repeat')[0]?.params).toMatchObject({ id: 'item-1' })
    expect(address()).toBe('/')
  })

  it('with an earlier payment of a kind that the status has not names the kind and the reason', async () => {
    answer('get', '/api/payment-types', { payment_types: [{ id: 'registry', slug: 'registry_payment' }] })
    answer('get', '/api/order/item/{id}/repeat', earlier)
    await renderRoute('/?repeat_item_id=item-1')
    expect(await nameField()).toHaveValue(koval.full_name)
    const title = await screen.findByText(
      'Вид платежу «Адміністративний збір» вам недоступний, заповнено лише дані клієнта',
    )
    expect(title.parentElement).toHaveTextContent(/не відповідає вашому статусу нотаріуса/u)
    expect(screen.queryByText('Деякі дані попереднього платежу вже недоступні')).not.toBeInTheDocument()
  })

  it('with an earlier payment gives it once: what was edited since outlasts another tab and another language', async () => {
    answer('get', '/api/order/item/{id}/repeat', earlier)
    const { user } = await renderRoute('/?repeat_item_id=item-1')
    await user.type(await nameField(), ' молодший')
    await comeBack()
    expect(await nameField()).toHaveValue(`${koval.full_name} молодший`)
    await act(() => switchLocale('en'))
    await waitFor(() => expect(callsOf('/api/payment-types')).toHaveLength(2))
    await comeBack()
    expect(await screen.findByLabelText('Client’s full name')).toHaveValue(`${koval.full_name} молодший`)
    expect(callsOf('/api/order/item/{id}/repeat')).toHaveLength(1)
  })

  it('with an earlier payment that was added stays empty, and nothing is said of it any more', async () => {
    answer('get', '/api/order/item/{id}/repeat', earlier)
    const { user } = await renderRoute('/?repeat_item_id=item-1')
    await nameField()
    await choose(user, 'Отримувач', /Голосіїв/u)
    await user.click(addButton())
    await screen.findByText('Платіж додано до кошика')
    expect(screen.queryByText('Деякі дані попереднього платежу вже недоступні')).not.toBeInTheDocument()
    await comeBack()
    expect(await nameField()).toHaveValue('')
    expect(screen.getByRole('button', { name: 'Скасувати додавання' })).toBeVisible()
  })

  it('with an earlier payment that did not come leaves the form to what is typed', async () => {
    refuse('get', '/api/order/item/{id}/repeat', 503, { message: 'service_unavailable' })
    const { user } = await renderRoute('/?repeat_item_id=item-1')
    await screen.findByText('Попередній платіж не вдалося відкрити')
    await user.type(await nameField(), 'Мельник')
    answer('get', '/api/order/item/{id}/repeat', earlier)
    await comeBack()
    expect(await nameField()).toHaveValue('Мельник')
    await user.click(screen.getByRole('button', { name: 'Спробувати ще раз' }))
    await waitFor(async () => expect(await nameField()).toHaveValue(koval.full_name))
    expect(screen.queryByText('Попередній платіж не вдалося відкрити')).not.toBeInTheDocument()
    await user.click(await screen.findByRole('button', { name: 'Повернути введене' }))
    expect(await nameField()).toHaveValue('Мельник')
  })

  it('with an earlier payment gives back the one that was being typed', async () => {
    answer('get', '/api/order/item/{id}/repeat', earlier)
    const { user, go } = await renderRoute('/')
    await user.type(await nameField(), 'Мельник Іван')
    await go('/?repeat_item_id=item-1')
    await waitFor(async () => expect(await nameField()).toHaveValue(koval.full_name))
    await user.click(await screen.findByRole('button', { name: 'Повернути введене' }))
    expect(await nameField()).toHaveValue('Мельник Іван')
    expect(screen.queryByText('Деякі дані попереднього платежу вже недоступні')).not.toBeInTheDocument()
  })

  it('from the cart goes on with the payment that was begun for this client', async () => {
    const { user, go, address } = await renderRoute('/')
    await user.type(await nameField(), 'Коваль')
    await user.type(codeField(), '1759 013776')
    await user.click(screen.getByRole('radio', { name: 'Платіж за реквізитами' }))
    await choose(user, 'Шаблон платежу (необов’язково)', /мито/u)
    await go('/cart')
    await user.click(await screen.findByRole('button', { name: 'Додати платіж' }))
    expect(await nameField()).toHaveValue(koval.full_name)
    expect(codeField()).toHaveValue(koval.inn)
    await waitFor(() =>
      expect(field('Призначення платежу')).toHaveValue(
        `101 Державне мито; ${koval.full_name}; код ${koval.inn}`,
      ),
    )
    expect(field('Сума')).toHaveValue('34,00')
    expect(screen.queryByRole('button', { name: 'Повернути введене' })).not.toBeInTheDocument()
    await waitFor(() => expect(address()).toBe('/'))
  })

  it('from the cart names the client in a purpose that was begun before', async () => {
    const { user, go } = await renderRoute('/')
    await nameField()
    await user.click(screen.getByRole('radio', { name: 'Платіж за реквізитами' }))
    await choose(user, 'Шаблон платежу (необов’язково)', /мито/u)
    await go('/cart')
    await user.click(await screen.findByRole('button', { name: 'Додати платіж' }))
    await nameField()
    await waitFor(() =>
      expect(field('Призначення платежу')).toHaveValue(
        `101 Державне мито; ${koval.full_name}; код ${koval.inn}`,
      ),
    )
  })

  it('from the cart for another client gives back what was being typed', async () => {
    const { user, go } = await renderRoute('/')
    await user.type(await nameField(), 'Мельник Іван')
    await user.type(codeField(), '3184710691')
    await go('/cart')
    await user.click(await screen.findByRole('button', { name: 'Додати платіж' }))
    expect(await nameField()).toHaveValue(koval.full_name)
    await user.click(await screen.findByRole('button', { name: 'Повернути введене' }))
    expect(await nameField()).toHaveValue('Мельник Іван')
    expect(codeField()).toHaveValue('3184710691')
  })

  it('with a payment that is gone says so and opens an empty form', async () => {
    refuse('get', '/api/order/item/{id}/repeat', 404, { message: 'not_found' })
    await renderRoute('/?repeat_item_id=nobody')
    expect(await screen.findByText('Попередній платіж не вдалося відкрити')).toBeVisible()
    expect(await nameField()).toHaveValue('')
  })
})

describe('what was typed', () => {
  it('outlasts a visit to the cart', async () => {
    const { user, go } = await renderRoute('/')
    await fillFee(user)
    await go('/cart')
    await screen.findByRole('heading', { name: 'Кошик' })
    await go('/')
    expect(await nameField()).toHaveValue(koval.full_name)
    await waitFor(() => expect(field('Отримувач')).toHaveDisplayValue(/Голосіїв/u))
  })

  it('is forgotten when the notary leaves', async () => {
    const { user } = await renderRoute('/')
    await typeClient(user)
    session.close()
    cleanup()
    await renderRoute('/')
    expect(await nameField()).toHaveValue('')
  })

  it('comes back after the form was cleared by mistake', async () => {
    const { user } = await renderRoute('/')
    await typeClient(user)
    await user.click(screen.getByRole('button', { name: 'Очистити форму' }))
    expect(await nameField()).toHaveValue('')
    await user.click(await screen.findByRole('button', { name: 'Повернути' }))
    expect(await nameField()).toHaveValue(koval.full_name)
  })
})

/** The account in the profile has changed since. */
const moved = { ...olena, iban: 'UA213223130000026007233566001' }
const MOVED_IBAN = 'UA21 3223 1300 0002 6007 2335 6600 1'
const OTHER_IBAN = 'UA36 3220 0100 0002 6000 0000 1234 5'

async function typeOwnAccount(user: User) {
  const change = screen.queryByRole('button', { name: 'Змінити рахунок' })
  if (change !== null) await user.click(change)
  await user.clear(await screen.findByLabelText('Ваш рахунок IBAN'))
  await user.type(field('Ваш рахунок IBAN'), OTHER_IBAN)
}

describe('the notary’s own account', () => {
  it('is that of the profile today, also in a payment that was begun before', async () => {
    answer('post', '/api/me', moved)
    const { user, go } = await renderRoute('/')
    await typeClient(user)
    await go('/me')
    await screen.findByRole('heading', { level: 1, name: 'Картка нотаріуса' })
    await user.clear(field('Ваш рахунок IBAN'))
    await user.type(field('Ваш рахунок IBAN'), MOVED_IBAN)
    await user.click(screen.getByRole('button', { name: 'Зберегти' }))
    await screen.findByText('Зміни збережено!')
    await go('/')
    expect(await nameField()).toHaveValue(koval.full_name)
    expect(ownAccountLine()).toHaveTextContent(MOVED_IBAN)
  })

  it('comes into a payment that was begun before the profile had one', async () => {
    const { user, go } = await renderRoute('/', { notary: { ...olena, iban: '', okpo: '' } })
    await typeClient(user)
    await go('/cart')
    await screen.findByRole('heading', { name: 'Кошик' })
    queryClient.setQueryData(userQuery().queryKey, olena)
    await go('/')
    expect(await nameField()).toHaveValue(koval.full_name)
    expect(ownAccountLine()).toHaveTextContent('UA22 3052 9900 0002 6001 2345 6789 0')
    expect(ownAccountLine()).toHaveTextContent(`Ваш РНОКПП${olena.okpo}`)
    expect(ownAccountLine()).toHaveTextContent('Ваш рахунок IBANUA22 3052')
  })

  it('follows the profile into an open form, too', async () => {
    await renderRoute('/')
    await nameField()
    answer('post', '/api/auth/me', moved)
    await comeBack()
    await waitFor(() => expect(ownAccountLine()).toHaveTextContent(MOVED_IBAN))
  })

  it('stays as it was typed for this payment, and is the profile’s again for the next one', async () => {
    const { user, go } = await renderRoute('/')
    await fillFee(user)
    await typeOwnAccount(user)
    answer('post', '/api/auth/me', moved)
    await comeBack()
    expect(field('Ваш рахунок IBAN')).toHaveValue(OTHER_IBAN)
    await go('/cart')
    await screen.findByRole('heading', { name: 'Кошик' })
    await go('/')
    await waitFor(() => expect(field('Отримувач')).toHaveDisplayValue(/Голосіїв/u))
    expect(field('Ваш рахунок IBAN')).toHaveValue(OTHER_IBAN)
    await user.click(addButton())
    await screen.findByText('Платіж додано до кошика')
    expect(ownAccountLine()).toHaveTextContent(MOVED_IBAN)
  })

  it('that only this form knows is there for the next payment', async () => {
    const { user } = await renderRoute('/', { notary: { ...olena, iban: '', okpo: '' } })
    await fillFee(user)
    await typeOwnAccount(user)
    await user.type(field('Ваш РНОКПП'), olena.okpo)
    await user.click(addButton())
    await screen.findByText('Платіж додано до кошика')
    expect(field('Ваш рахунок IBAN')).toHaveValue(OTHER_IBAN)
  })
})

describe('the tariff', () => {
  it('is shown with its change, in the past or the future tense by the day', async () => {
    const coming = { valid_from: '2999-01-01', basis_points: 125, minimum: 7.5 }
    await renderRoute('/', { config: { ...config, tariff_changes: [...config.tariff_changes, coming] } })
    expect(await screen.findByText(/^Комісія 1,5 %, щонайменше 10,00\sгрн$/u)).toBeVisible()
    expect(screen.getByText(/^Цей тариф діє з 11\.11\.2025\.$/u)).toBeVisible()
    expect(
      screen.getByText(/^Увага: з 01\.01\.2999 тариф становитиме 1,25 %, щонайменше 7,50\sгрн\.$/u),
    ).toBeVisible()
  })

  it('is told in English, too', async () => {
    await renderRoute('/', { locale: 'en' })
    expect(await screen.findByText(/^Commission 1\.5%, at least 10\.00\sUAH$/u)).toBeVisible()
    expect(screen.getByRole('button', { name: 'Add to cart' })).toBeVisible()
  })
})

it('adds by Ctrl Enter from any field, and goes on to the next client', async () => {
  const { user } = await renderRoute('/')
  await fillFee(user)
  field('Отримувач').focus()
  await user.keyboard('{Control>}{Enter}{/Control}')
  expect(await screen.findByText('Платіж додано до кошика')).toBeVisible()
  expect(sent()).toHaveLength(1)
  await waitFor(() => expect(codeField()).toHaveFocus())
  expect(codeField()).toHaveValue('')
})

it('shows the mistakes of a payment that is added by Ctrl Enter', async () => {
  const { user } = await renderRoute('/')
  await nameField()
  codeField().focus()
  await user.keyboard('{Control>}{Enter}{/Control}')
  expect(screen.getByRole('alert')).toHaveFocus()
  expect(sent()).toEqual([])
})

describe('the box of a legal entity', () => {
  it('ticks itself by a code of eight digits once it is left, and unticks itself by another one', async () => {
    const { user } = await renderRoute('/')
    await nameField()
    await user.type(codeField(), '37193071')
    // They may be the beginning of ten.
    expect(await legalEntity()).not.toBeChecked()
    await user.tab()
    expect(await legalEntity()).toBeChecked()
    await waitFor(() => expect(field('Назва юридичної особи')).toHaveFocus())
    await user.clear(field('Код ЄДРПОУ'))
    await user.type(field('Код ЄДРПОУ'), koval.inn)
    await user.tab()
    expect(await legalEntity()).not.toBeChecked()
    expect(codeField()).not.toBeInvalid()
  })

  it('stays as it was set by hand', async () => {
    const { user } = await renderRoute('/')
    await nameField()
    await user.type(codeField(), '37193071')
    await user.tab()
    await user.click(await legalEntity())
    codeField().focus()
    await user.tab()
    expect(await legalEntity()).not.toBeChecked()
    await user.click(await legalEntity())
    await user.clear(field('Код ЄДРПОУ'))
    await user.type(field('Код ЄДРПОУ'), koval.inn)
    await user.tab()
    expect(await legalEntity()).toBeChecked()
  })
})
