import { describe, expect, it } from 'vitest'

import { paymentErrors, type FieldErrors } from './rules'
import { EMPTY_PAYMENT, type PaymentValues } from './values'

const client = { clientName: 'Коваль Олена Петрівна', clientCode: '1759013776' }
const fee: PaymentValues = {
  ...EMPTY_PAYMENT,
  ...client,
  paymentTypeId: 'admin',
  optionId: 'ownership',
  termId: 'ownership-5wd',
  regionId: 'ua-30',
  requisiteId: 'ua-30-1',
  ownOkpo: '3068208400',
  ownIban: 'UA223052990000026001234567890',
}
const typed: PaymentValues = {
  ...EMPTY_PAYMENT,
  ...client,
  paymentTypeId: 'requisites',
  recipientName: 'ГУК у м.Києві/22090100',
  okpo: '37993783',
  iban: 'UA908999980314010537000026011',
  budgetCode: '22090100',
  purpose: '101 Державне мито; код 1759013776',
  amount: '34,00',
}

describe('every kind', () => {
  it('names all broken fields at once', () => {
    expect(paymentErrors(EMPTY_PAYMENT, { kind: null, notaryCode: '' })).toEqual({
      clientName: 'client_full_name_required',
      clientCode: 'client_inn_required',
      paymentTypeId: 'payment_type_required',
    } satisfies FieldErrors)
  })

  it('asks a legal entity for its EDRPOU', () => {
    const entity = { ...fee, legalEntity: true }
    expect(paymentErrors(entity, { kind: 'admin_payment', notaryCode: '' })).toEqual({
      clientCode: 'client_inn_format_invalid',
    })
    expect(
      paymentErrors({ ...entity, clientCode: '37993783' }, { kind: 'admin_payment', notaryCode: '' }),
    ).toEqual({})
  })
})

describe('a fee', () => {
  it('is complete with the notary’s own account', () => {
    expect(paymentErrors(fee, { kind: 'admin_payment', notaryCode: '' })).toEqual({})
  })

  it.each<[Partial<PaymentValues>, FieldErrors]>([
    [
      { optionId: '', termId: '', requisiteId: '' },
      {
        optionId: 'payment_type_option_required',
        termId: 'payment_type_option_term_required',
        requisiteId: 'payment_type_requisite_required',
      },
    ],
    [{ regionId: '' }, { regionId: 'payment_type_region_required' }],
    [
      { ownIban: '', ownOkpo: '' },
      { ownIban: 'your_iban_required', ownOkpo: 'your_okpo_required' },
    ],
    [{ ownIban: 'UA22305299' }, { ownIban: 'iban_invalid' }],
    [{ ownOkpo: '123' }, { ownOkpo: 'okpo_invalid' }],
    [{ ownIban: 'UA26 3220 0100 0002 6201 2345 6789 0' }, { ownIban: 'iban_balance_code_by_okpo_rule' }],
    [{ ownIban: 'UA26 3220 0100 0002 6201 2345 6789 0', ownOkpo: '37993783' }, {}],
  ])('%j gives %j', (change, errors) => {
    expect(paymentErrors({ ...fee, ...change }, { kind: 'admin_payment', notaryCode: '' })).toEqual(errors)
  })

  it('of a state notary asks for no account of her own', () => {
    const state = { ...fee, ownIban: '', ownOkpo: '' }
    expect(paymentErrors(state, { kind: 'admin_government_payment', notaryCode: '' })).toEqual({})
  })

  it('of a register asks for no term', () => {
    expect(paymentErrors({ ...fee, termId: '' }, { kind: 'registry_payment', notaryCode: '' })).toEqual({})
  })
})

describe('a payment to any requisites', () => {
  it.each<[Partial<PaymentValues>, FieldErrors]>([
    [{}, {}],
    [
      { recipientName: ' ', okpo: '', iban: '', amount: '' },
      {
        recipientName: 'recipient_name_required',
        okpo: 'okpo_required',
        iban: 'iban_required',
        amount: 'amount_required',
      },
    ],
    [{ budgetCode: '2209010' }, { budgetCode: 'cbc_length' }],
    [{ iban: 'UA223052990000026001234567890', budgetCode: '', purpose: 'За довідку, 1759013776' }, {}],
    [{ purpose: '' }, { purpose: 'purpose_required' }],
    [{ purpose: `101 ${'д'.repeat(147)}1759013776` }, { purpose: 'purpose_max_height' }],
    [{ purpose: 'Державне мито 1759013776' }, { purpose: 'purpose_invalid' }],
    [{ purpose: '*;101;1759013776;Державне мито;;;' }, {}],
    [{ purpose: '101 Державне мито' }, { purpose: 'purpose_must_contains_ipn' }],
    [{ purpose: '101 Державне мито 3068208400' }, {}],
    [{ amount: '1,234' }, { amount: 'amount_invalid' }],
  ])('%j gives %j', (change, errors) => {
    const context = { kind: 'requisites_payment', notaryCode: '3068208400' } as const
    expect(paymentErrors({ ...typed, ...change }, context)).toEqual(errors)
  })
})
