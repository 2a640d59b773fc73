import { expect, it } from 'vitest'

import type { RequisitesTemplate } from '@/api/payment-types'

import { losesTyped, withTemplate } from './requisites/fill-template'
import { withClient } from './template'
import { EMPTY_PAYMENT } from './values'

const template: RequisitesTemplate = {
  id: 'state-duty',
  title: 'Державне мито',
  amount: null,
  recipient_name: 'ГУК у м.Києві/22090100',
  recipient_iban: 'UA908999980314010537000026011',
  recipient_code: '37993783',
  comment: '101 Державне мито; {clientName}; код {clientIPN}',
  cbc_code: '22090100',
  account_cbc_codes: ['22090100'],
}

it('fills the recipient and names the client in the purpose', () => {
  const values = withTemplate(
    { ...EMPTY_PAYMENT, clientName: ' Коваль Олена ', clientCode: '1759 013776', amount: '34' },
    template,
    'uk',
  )
  expect(values).toMatchObject({
    templateId: 'state-duty',
    recipientName: 'ГУК у м.Києві/22090100',
    iban: 'UA90 8999 9803 1401 0537 0000 2601 1',
    okpo: '37993783',
    budgetCode: '22090100',
    purpose: '101 Державне мито; Коваль Олена; код 1759013776',
    amount: '34',
  })
})

it('takes the template’s amount where it has one', () => {
  expect(withTemplate(EMPTY_PAYMENT, { ...template, amount: 34.5 }, 'uk').amount).toBe('34,50')
})

it('takes the sum of the template before with it, and leaves a typed one', () => {
  const before = { ...template, id: 'before', amount: 34 }
  const filled = withTemplate(EMPTY_PAYMENT, before, 'uk')
  expect(filled.amount).toBe('34')
  expect(withTemplate(filled, template, 'uk', before).amount).toBe('')
  expect(withTemplate({ ...filled, amount: '34,00' }, template, 'uk', before).amount).toBe('')
  expect(withTemplate({ ...filled, amount: '51' }, template, 'uk', before).amount).toBe('51')
  expect(withTemplate(filled, { ...template, amount: 1.5 }, 'uk', before).amount).toBe('1,50')
})

it('tells whether something typed is lost', () => {
  const before = { ...template, id: 'before', amount: 34, recipient_name: 'ГУК у Львівській обл.' }
  const filled = withTemplate({ ...EMPTY_PAYMENT, clientName: 'Коваль Олена' }, before, 'uk')
  const loses = (values: typeof filled, old?: typeof before) =>
    losesTyped(values, withTemplate(values, template, 'uk', old), 'uk', old)
  expect(loses(filled, before)).toBe(false)
  expect(loses({ ...filled, amount: '34,00' }, before)).toBe(false)
  expect(loses({ ...filled, recipientName: 'ГУК у Львові' }, before)).toBe(true)
  expect(loses({ ...filled, purpose: `${filled.purpose}, дарування` }, before)).toBe(true)
  expect(loses({ ...filled, amount: '51' }, before)).toBe(false)
  expect(loses({ ...EMPTY_PAYMENT, amount: '51' })).toBe(false)
  expect(loses({ ...EMPTY_PAYMENT, okpo: '12345678' })).toBe(true)
})

it('keeps the purpose in step with the client while it is the template’s', () => {
  const open = withTemplate(EMPTY_PAYMENT, template, 'uk')
  expect(open.purpose).toBe('101 Державне мито; [ім’я клієнта]; код [код клієнта]')
  const named = withClient(open, { clientName: 'Коваль Олена' }, template)
  const complete = withClient(named, { clientCode: '1759013776' }, template)
  expect(complete.purpose).toBe('101 Державне мито; Коваль Олена; код 1759013776')
})

it('leaves a purpose alone that was edited by hand', () => {
  const edited = { ...withTemplate(EMPTY_PAYMENT, template, 'uk'), purpose: '101 Мито за договір' }
  expect(withClient(edited, { clientName: 'Коваль' }, template).purpose).toBe('101 Мито за договір')
})
