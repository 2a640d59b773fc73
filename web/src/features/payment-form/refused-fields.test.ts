import { expect, it } from 'vitest'

import { placeRefusal } from './refused-fields'

it('puts the keys of the server at the fields of the form', () => {
  const { fields, rest } = placeRefusal(
    {
      key: 'validation_failed',
      errors: {
        'client.inn': ['client_inn_format_invalid'],
        iban: ['iban_invalid'],
        payment_type_requisite_id: ['requisite_not_for_term'],
      },
    },
    'admin_payment',
  )
  expect([...fields]).toEqual([
    ['clientCode', 'client_inn_format_invalid'],
    ['ownIban', 'iban_invalid'],
    ['requisiteId', 'requisite_not_for_term'],
  ])
  expect(rest).toEqual([])
})

it('says at the button what belongs to no field', () => {
  expect(placeRefusal({ key: 'cart_full', errors: {} }, 'registry_payment').rest).toEqual(['cart_full'])
  expect(
    placeRefusal({ key: 'validation_failed', errors: { sum: ['amount_invalid'] } }, 'registry_payment').rest,
  ).toEqual(['amount_invalid'])
})
