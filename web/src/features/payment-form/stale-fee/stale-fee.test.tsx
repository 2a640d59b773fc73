import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import type { StaleFee } from '@/api/payment-types'
import { session } from '@/api/session'
import { switchLocale } from '@/i18n/i18n'
import { messageText } from '@/i18n/message-texts'
import { renderRoute } from '@/testing/render-route'
import { cart, config } from '@/testing/samples'
import { answer, startServer } from '@/testing/server'

startServer()

/** Midnight of 31 January 2027 in Kyiv. */
const setDay = Date.parse('2027-01-30T22:00:00Z')

const ofLastYear: StaleFee = { valid_from: '2026-01-01', refused_from: '2027-01-31' }

beforeEach(() => {
  session.close()
  answer('get', '/api/payment-types', {
    payment_types: [
      { id: 'admin', slug: 'admin_payment' },
      { id: 'registry', slug: 'registry_payment' },
    ],
  })
  answer('get', '/api/payment-types/fields', ({ query }) => ({
    options:
      query['payment_type_id'] === 'registry'
        ? [
            {
              id: 'extract',
              name: 'Витяг',
              additional_data: { tariff: 40, stale: ofLastYear, outdated_from: null, next_year: null },
            },
            {
              id: 'document',
              name: 'Документ',
              additional_data: {
                tariff: 50,
                stale: null,
                outdated_from: null,
                next_year: { year: 2027, amount: 70 },
              },
            },
            {
              id: 'paper',
              name: 'Довідка',
              additional_data: { tariff: 60, stale: null, outdated_from: '2027-01-01', next_year: null },
            },
          ]
        : [
            {
              id: 'ownership',
              name: 'Право власності',
              additional_data: { tariff: null, stale: null, outdated_from: null, next_year: null },
            },
          ],
    regions: [],
  }))
  answer('get', '/api/payment-types/option/terms', {
    terms: [
      {
        id: 'slow',
        period: '5 днів',
        tax: 330,
        budget_code: '22012600',
        stale: ofLastYear,
        outdated_from: null,
        next_year: null,
      },
      {
        id: 'soon',
        period: '2 дні',
        tax: 3_330,
        budget_code: '22012900',
        stale: null,
        outdated_from: '2027-01-01',
        next_year: null,
      },
      {
        id: 'fast',
        period: '2 години',
        tax: 16_640,
        budget_code: '22012900',
        stale: null,
        outdated_from: null,
        next_year: null,
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
})

afterEach(() => {
  vi.useRealTimers()
})

/** Opens the form at a moment. */
async function openAt(moment: number, treasuryLastDay: string | null = null) {
  vi.useFakeTimers({ toFake: ['Date'], now: moment })
  return renderRoute('/', { config: { ...config, treasury_last_day: treasuryLastDay } })
}

type User = Awaited<ReturnType<typeof renderRoute>>['user']

async function choose(user: User, label: string, line: RegExp) {
  const select = await screen.findByLabelText(label)
  await user.selectOptions(select, await within(select).findByRole('option', { name: line }))
}

const panel = () => screen.getByRole('region', { name: 'Разом до сплати' })

it('says beside the price that the fee is of last year, until when it is paid, and only of such a fee', async () => {
  const { user } = await openAt(setDay - 1)
  await choose(user, 'Послуга', /Право власності/u)
  await choose(user, 'Строк реєстрації', /5 днів/u)
  const notice = await within(panel()).findByRole('status')
  expect(notice).toHaveTextContent('Це сума збору на 2026 рік')
  expect(notice).toHaveTextContent('Суму на 2027 рік ще не завантажено')
  expect(notice).toHaveTextContent('Із 31.01.2027 сплату за сумою попереднього року буде зупинено')

  await switchLocale('en')
  await waitFor(() => expect(notice).toHaveTextContent('This is the fee of 2026'))
  await switchLocale('uk')

  await choose(user, 'Строк реєстрації', /2 години/u)
  await waitFor(() => expect(within(panel()).queryByRole('status')).toBeNull())
})

it('says so of a registry tariff, too', async () => {
  const { user } = await openAt(setDay - 1)
  await user.click(await screen.findByRole('radio', { name: /реєстр/iu }))
  await choose(user, 'Послуга реєстру', /Документ/u)
  expect(within(panel()).queryByRole('status')).toBeNull()
  await choose(user, 'Послуга реєстру', /Витяг/u)
  expect(await within(panel()).findByRole('status')).toHaveTextContent('Це сума збору на 2026 рік')
})

it('says from the set day on that the payment is stopped, and explains a refusal', async () => {
  const { user } = await openAt(setDay)
  await choose(user, 'Послуга', /Право власності/u)
  await choose(user, 'Строк реєстрації', /5 днів/u)
  const notice = await within(panel()).findByRole('status')
  expect(notice).toHaveTextContent('Сплату зупинено')
  expect(notice).toHaveTextContent('Відома лише сума збору на 2026 рік')
  expect(messageText('fee_of_last_year')).toContain('ще не завантажено')
})

it('says in December that the fee of the next year is not known, and only of such a fee', async () => {
  const { user } = await openAt(Date.parse('2026-12-01T10:00:00Z'))
  await choose(user, 'Послуга', /Право власності/u)
  await choose(user, 'Строк реєстрації', /2 дні/u)
  const notice = await within(panel()).findByRole('status')
  expect(notice).toHaveTextContent('Суму збору на 2027 рік ще не завантажено')
  expect(notice).toHaveTextContent('Якщо заяву подаватимуть у 2027 році, збір може бути іншим')

  await switchLocale('en')
  await waitFor(() => expect(notice).toHaveTextContent('The fee of 2027 is not loaded yet'))
  await switchLocale('uk')

  await choose(user, 'Строк реєстрації', /2 години/u)
  await waitFor(() => expect(within(panel()).queryByRole('status')).toBeNull())
})

it('offers the next year of filing with its fee, preselects this one, and forgets it with the term', async () => {
  const of2027 = { year: 2027, amount: 350 }
  answer('get', '/api/payment-types/option/terms', {
    terms: [
      {
        id: 'slow',
        period: '5 днів',
        tax: 330,
        budget_code: '22012600',
        stale: null,
        outdated_from: null,
        next_year: of2027,
      },
      {
        id: 'fixed',
        period: '2 дні',
        tax: 900,
        budget_code: '22012600',
        stale: null,
        outdated_from: null,
        next_year: null,
      },
    ],
  })
  const { user } = await openAt(Date.parse('2026-12-20T10:00:00Z'))
  await choose(user, 'Послуга', /Право власності/u)
  expect(screen.queryByLabelText('Рік подання')).toBeNull()
  await choose(user, 'Строк реєстрації', /5 днів/u)
  const year = await screen.findByLabelText('Рік подання')
  expect(year).toHaveDisplayValue('2026')
  expect(panel()).toHaveTextContent(/330,00 грн/u)
  await choose(user, 'Рік подання', /2027 – 350,00/u)
  await waitFor(() => expect(panel()).toHaveTextContent(/350,00 грн/u))
  expect(panel()).not.toHaveTextContent(/330,00 грн/u)
  await choose(user, 'Строк реєстрації', /2 дні/u)
  await waitFor(() => expect(screen.queryByLabelText('Рік подання')).toBeNull())
  await choose(user, 'Строк реєстрації', /5 днів/u)
  expect(await screen.findByLabelText('Рік подання')).toHaveDisplayValue('2026')

  await user.click(await screen.findByRole('radio', { name: /реєстр/iu }))
  await choose(user, 'Послуга реєстру', /Документ/u)
  await choose(user, 'Рік подання', /2027 – 70,00/u)
  await waitFor(() => expect(panel()).toHaveTextContent(/70,00 грн/u))
  await choose(user, 'Послуга реєстру', /Довідка/u)
  await waitFor(() => expect(screen.queryByLabelText('Рік подання')).toBeNull())
  await choose(user, 'Послуга реєстру', /Документ/u)
  expect(await screen.findByLabelText('Рік подання')).toHaveDisplayValue('2026')
})

it.each([
  [
    '2026-12-28T21:59:00Z',
    'Казначейство приймає платежі цього року до 28.12.2026 включно',
    'up to and including 28.12.2026',
  ],
  ['2026-12-28T22:01:00Z', 'Казначейство припинило приймати платежі цього року 28.12.2026', 'on 28.12.2026'],
])(
  'says at %s of an account at the Treasury alone what its last day means',
  async (moment, text, english) => {
    const treasury = {
      id: 'treasury',
      name: 'ГУК у м.Києві',
      iban: 'UA848999980999022012600300051',
      okpo: '37993783',
      budget_code: '22012900',
      demonstration: false,
      unconfirmed: null,
    }
    const bank = { ...treasury, id: 'bank', name: 'Адміністратор', iban: 'UA903052992990004149123456789' }
    answer('get', '/api/payment-types/fields', {
      options: [
        {
          id: 'ownership',
          name: 'Право власності',
          additional_data: { tariff: null, stale: null, outdated_from: null, next_year: null },
        },
      ],
      regions: [{ id: 'ua-30', name: 'м. Київ' }],
    })
    answer('get', '/api/payment-types/region/requisites', { requisites: [treasury, bank] })
    const { user } = await openAt(Date.parse(moment), '2026-12-28')
    await choose(user, 'Послуга', /Право власності/u)
    await choose(user, 'Строк реєстрації', /2 години/u)
    await choose(user, 'Регіон', /Київ/u)
    expect(within(panel()).queryByRole('status')).toBeNull()
    await choose(user, 'Отримувач', /ГУК/u)
    const notice = await within(panel()).findByRole('status')
    expect(notice).toHaveTextContent(text)
    expect(notice).toHaveTextContent('січні')
    await switchLocale('en')
    await waitFor(() => expect(notice).toHaveTextContent(english))
    await switchLocale('uk')
    await choose(user, 'Отримувач', /Адміністратор/u)
    await waitFor(() => expect(within(panel()).queryByRole('status')).toBeNull())
  },
)

it('says so of the tariff of a register, too', async () => {
  const { user } = await openAt(Date.parse('2026-12-01T10:00:00Z'))
  await user.click(await screen.findByRole('radio', { name: /реєстр/iu }))
  await choose(user, 'Послуга реєстру', /Довідка/u)
  expect(await within(panel()).findByRole('status')).toHaveTextContent('Суму збору на 2027 рік')
})
