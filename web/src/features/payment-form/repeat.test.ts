import { expect, it } from 'vitest'

import type { Repeat } from '@/api/repeat'

import { lostChoices, valuesOfRepeat } from './repeat'

const client = { id: 'c1', inn: '1759013776', full_name: 'Коваль Олена' }
const fee: Repeat = {
  order_item: {
    id: 'i1',
    created_at: '2026-11-01T10:00:00Z',
    status: 'paid',
    payment_type: { id: 'admin', slug: 'admin_payment' },
    payment_type_option: { id: 'ownership', name: 'Право власності' },
    payment_type_option_term: { id: 'ownership-5wd', period: '5 робочих днів' },
    payment_type_requisite: {
      id: 'ua-30-1',
      name: 'ГУК',
      iban: 'UA908999980314010537000026011',
      okpo: '37993783',
    },
    recipient_name: null,
    iban: 'UA223052990000026001234567890',
    okpo: '3068208400',
    purpose: '101 Адміністративний збір',
    cbc_code: null,
    requisites_template: null,
    count: 2,
    sum_base: 330,
    commission: 20,
    sum_full: 350,
    sum_total: 700,
    order: { id: 'o1', client },
  },
  payment_data: {
    payment_type: { id: 'admin', slug: 'admin_payment' },
    payment_type_option: { id: 'ownership', name: 'Право власності' },
    payment_type_option_term: { id: 'ownership-5wd', period: '5 робочих днів' },
    payment_type_region: { id: 'ua-30', name: 'м. Київ' },
    payment_type_requisite: {
      id: 'ua-30-1',
      name: 'ГУК',
      iban: 'UA908999980314010537000026011',
      okpo: '37993783',
    },
    changed: false,
  },
}

it('repeats a fee with the account of today’s profile', () => {
  const values = valuesOfRepeat(fee, { iban: 'UA213223130000026007233566001', okpo: '1759013776' }, 'uk')
  expect(values).toMatchObject({
    clientName: 'Коваль Олена',
    clientCode: '1759013776',
    paymentTypeId: 'admin',
    optionId: 'ownership',
    termId: 'ownership-5wd',
    regionId: 'ua-30',
    requisiteId: 'ua-30-1',
    ownIban: 'UA21 3223 1300 0002 6007 2335 6600 1',
    ownOkpo: '1759013776',
  })
  expect(lostChoices(fee)).toBe(false)
})

it('of a company is for a legal entity', () => {
  const company = { id: 'client-2', inn: '37193071', full_name: 'ТОВ «Подільська брама»' }
  const item = { ...fee.order_item, order: { ...fee.order_item.order, client: company } }
  const values = valuesOfRepeat({ ...fee, order_item: item }, { iban: '', okpo: '' }, 'uk')
  expect(values).toMatchObject({ clientCode: '37193071', legalEntity: true })
  expect(valuesOfRepeat(fee, { iban: '', okpo: '' }, 'uk').legalEntity).toBe(false)
})

it('takes the account of then where the profile has none', () => {
  const values = valuesOfRepeat(fee, { iban: '', okpo: '' }, 'uk')
  expect(values).toMatchObject({ ownIban: 'UA22 3052 9900 0002 6001 2345 6789 0', ownOkpo: '3068208400' })
})

it('leaves open what is no longer to be had, and what hangs on it', () => {
  const gone: Repeat = { ...fee, payment_data: { ...fee.payment_data, payment_type_requisite: null } }
  expect(valuesOfRepeat(gone, { iban: '', okpo: '' }, 'uk').requisiteId).toBe('')
  expect(lostChoices(gone)).toBe(true)
})

it('repeats a payment to any requisites as it was typed', () => {
  const typed: Repeat = {
    order_item: {
      ...fee.order_item,
      payment_type: { id: 'requisites', slug: 'requisites_payment' },
      payment_type_option: null,
      payment_type_option_term: null,
      payment_type_requisite: null,
      recipient_name: 'ГУК у м.Києві',
      iban: 'UA908999980314010537000026011',
      okpo: '37993783',
      purpose: '101 Мито 1759013776',
      cbc_code: '22090100',
      sum_base: 34.5,
    },
    payment_data: {
      payment_type: { id: 'requisites', slug: 'requisites_payment' },
      payment_type_option: null,
      payment_type_option_term: null,
      payment_type_region: null,
      payment_type_requisite: null,
      changed: false,
    },
  }
  expect(valuesOfRepeat(typed, { iban: '', okpo: '' }, 'uk')).toMatchObject({
    recipientName: 'ГУК у м.Києві',
    iban: 'UA90 8999 9803 1401 0537 0000 2601 1',
    okpo: '37993783',
    budgetCode: '22090100',
    purpose: '101 Мито 1759013776',
    amount: '34,50',
  })
  expect(lostChoices(typed)).toBe(false)
})
