import { expect, it } from 'vitest'

import { kopiykas } from '@/lib/money'

import { cartAddRequest } from './request'
import { EMPTY_PAYMENT } from './values'

const price = { amount: kopiykas(33_000), sum: kopiykas(35_000) }
const chosen = {
  ...EMPTY_PAYMENT,
  clientName: '  Коваль Олена ',
  clientCode: 'aa 123456',
  paymentTypeId: 'admin',
  optionId: 'ownership',
  termId: 'ownership-5wd',
  regionId: 'ua-30',
  requisiteId: 'ua-30-1',
  ownIban: 'ua22 3052 9900 0002 6001 2345 6789 0',
  ownOkpo: '3068 208400',
}

it('sends an administrative fee with the notary’s own account', () => {
  expect(cartAddRequest('admin_payment', chosen, price)).toEqual({
    client: { inn: 'АА123456', full_name: 'Коваль Олена' },
    payment_type_id: 'admin',
    amount: 330,
    sum: 350,
    payment_type_option_id: 'ownership',
    payment_type_option_term_id: 'ownership-5wd',
    payment_type_region_id: 'ua-30',
    payment_type_requisite_id: 'ua-30-1',
    iban: 'UA223052990000026001234567890',
    okpo: '3068208400',
  })
})

it('sends nothing that another kind of payment left in the form', () => {
  const registry = cartAddRequest('registry_payment', chosen, price)
  expect(registry).not.toHaveProperty('payment_type_option_term_id')
  expect(registry).not.toHaveProperty('iban')
  expect(registry).not.toHaveProperty('purpose')
})

it('sends a budget code only to a budget account', () => {
  const typed = {
    ...EMPTY_PAYMENT,
    clientName: 'Коваль Олена',
    clientCode: '1759013776',
    paymentTypeId: 'requisites',
    recipientName: ' Адміністратор ',
    iban: 'UA51 3999 9900 0002 6009 9900 0000 1',
    okpo: '99009905',
    budgetCode: '22090100',
    purpose: ' За довідку 1759013776 ',
    amount: '330',
  }
  expect(cartAddRequest('requisites_payment', typed, price)).toEqual({
    client: { inn: '1759013776', full_name: 'Коваль Олена' },
    payment_type_id: 'requisites',
    amount: 330,
    sum: 350,
    recipient_name: 'Адміністратор',
    iban: 'UA513999990000026009990000001',
    okpo: '99009905',
    purpose: 'За довідку 1759013776',
  })
  const budget = { ...typed, iban: 'UA908999980314010537000026011', templateId: 'state-duty' }
  expect(cartAddRequest('requisites_payment', budget, price)).toMatchObject({
    cbc_code: '22090100',
    requisites_template: 'state-duty',
  })
})
