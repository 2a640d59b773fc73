import { expect, it } from 'vitest'

import { placeRefusal as place } from '@/forms/shown-errors'
import type { PaymentKind } from '@/lib/commission'

import { fieldOf } from './refused-fields'

const placeRefusal = (refusal: Parameters<typeof place>[0], kind: PaymentKind) =>
  place(refusal, (wireName) => fieldOf(wireName, kind))

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
  expect(Object.entries(fields)).toEqual([
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
