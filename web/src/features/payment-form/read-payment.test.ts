import { describe, expect, it } from 'vitest'

import type { PaymentKind } from '@/lib/commission'
import { kopiykas } from '@/lib/money'
import { errorsOf, type FieldErrors } from '@/forms/read-fields'

import { readPayment, type PaymentContext } from './read-payment'
import { readTypedRecipient } from './requisites/read-typed-recipient'
import { EMPTY_PAYMENT, type FieldName, type PaymentValues } from './values'

type PaymentErrors = FieldErrors<FieldName>

const nobody = { inn: '', okpo: '' }
const requisites = {
  requisites_templates: [
    {
      id: 'state-duty',
      title: 'Державне мито',
      amount: null,
      recipient_name: 'ГУК у м.Києві/22090100',
      recipient_iban: 'UA908999980314010537000026011',
      recipient_code: '37993783',
      comment: '101 Державне мито; код {clientIPN}',
      cbc_code: '22090100',
      account_cbc_codes: ['22090100', '22012900'],
    },
  ],
  payment_codes: ['101', '121'],
}

const paymentErrors = (
  values: PaymentValues,
  context: Pick<PaymentContext, 'kind'> & Partial<PaymentContext>,
) =>
  errorsOf(
    readPayment(values, { notary: nobody, requisites: null, readTypedRecipient, ...context, price: null }),
  )

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
    expect(paymentErrors(EMPTY_PAYMENT, { kind: null })).toEqual({
      clientName: 'client_full_name_required',
      clientCode: 'client_inn_required',
      paymentTypeId: 'payment_type_required',
    } satisfies PaymentErrors)
  })

  it('asks a legal entity for its EDRPOU', () => {
    const entity = { ...fee, legalEntity: true }
    expect(paymentErrors(entity, { kind: 'admin_payment' })).toEqual({
      clientCode: 'client_inn_format_invalid',
    })
    expect(paymentErrors({ ...entity, clientCode: '37993783' }, { kind: 'admin_payment' })).toEqual({})
  })
})

describe('a fee', () => {
  it('is complete with the notary’s own account', () => {
    expect(paymentErrors(fee, { kind: 'admin_payment' })).toEqual({})
  })

  it.each<[Partial<PaymentValues>, PaymentErrors]>([
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
    [{ ownIban: 'UA908999980314010537000026011' }, { ownIban: 'your_iban_is_treasury' }],
  ])('%j gives %j', (change, errors) => {
    expect(paymentErrors({ ...fee, ...change }, { kind: 'admin_payment' })).toEqual(errors)
  })

  it.each<[string, PaymentErrors]>([
    ['3068208400', {}],
    ['1759013776', { ownOkpo: 'your_okpo_not_yours' }],
    ['37993783', { ownOkpo: 'your_okpo_not_yours' }],
  ])('of a private notary with the code %s gives %j', (ownOkpo, errors) => {
    const notary = { inn: '3068208400', okpo: '3068208400' }
    expect(paymentErrors({ ...fee, ownOkpo }, { kind: 'admin_payment', notary })).toEqual(errors)
  })

  it('names the year of filing where the next one is chosen', () => {
    const context = {
      kind: 'admin_payment' as const,
      notary: nobody,
      requisites: null,
      readTypedRecipient,
      price: null,
    }
    expect(readPayment({ ...fee, filingYear: '2027' }, context)).toMatchObject({
      ok: true,
      value: { filing_year: 2027 },
    })
    expect(readPayment(fee, context)).not.toHaveProperty('value.filing_year')
  })

  it('of a state notary requires no own account', () => {
    const state = { ...fee, ownIban: '', ownOkpo: '' }
    expect(paymentErrors(state, { kind: 'admin_government_payment' })).toEqual({})
  })

  it('of a register asks for no term', () => {
    expect(paymentErrors({ ...fee, termId: '' }, { kind: 'registry_payment' })).toEqual({})
  })
})

describe('a payment to any requisites', () => {
  it.each<[Partial<PaymentValues>, PaymentErrors]>([
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
    [{ clientName: 'я'.repeat(141) }, { clientName: 'text_too_long' }],
    [{ budgetCode: '2209010' }, { budgetCode: 'cbc_length' }],
    [{ iban: 'UA223052990000026001234567890', budgetCode: '', purpose: 'За довідку, 1759013776' }, {}],
    [{ purpose: '' }, { purpose: 'purpose_required' }],
    [{ purpose: `101 ${'д'.repeat(147)}1759013776` }, { purpose: 'purpose_max_height' }],
    [{ purpose: 'Державне мито 1759013776' }, { purpose: 'purpose_invalid' }],
    [{ purpose: '*;101;1759013776;Державне мито;;;' }, {}],
    [{ purpose: '101 Державне мито' }, { purpose: 'purpose_must_contains_ipn' }],
    [{ purpose: '101 Державне мито 917590137765' }, { purpose: 'purpose_must_contains_ipn' }],
    [{ purpose: '999 Державне мито 1759013776' }, { purpose: 'purpose_code_unknown' }],
    [{ purpose: '101 Державне \u{E000} мито 1759013776' }, { purpose: 'text_invalid' }],
    [{ okpo: '14360570' }, { okpo: 'okpo_not_for_account' }],
    [{ okpo: '1759013776' }, { okpo: 'okpo_not_for_treasury' }],
    [{ okpo: '37993784' }, { okpo: 'okpo_not_for_treasury' }],
    [{ budgetCode: '11010500' }, { budgetCode: 'cbc_not_for_account' }],
    [{ budgetCode: '00000000' }, { budgetCode: 'cbc_not_for_account' }],
    // The account takes it beside the template's own code.
    [{ budgetCode: '22012900' }, {}],
    [{ purpose: '101 Державне мито 3068208400' }, {}],
    [{ amount: '1,234' }, { amount: 'amount_invalid' }],
  ])('%j gives %j', (change, errors) => {
    const notary = { inn: '3068208400', okpo: '' }
    const context = { kind: 'requisites_payment', notary, requisites } as const
    expect(paymentErrors({ ...typed, ...change }, context)).toEqual(errors)
  })
})

const price = { amount: kopiykas(33_000), sum: kopiykas(35_000) }
/** The request of values that are right. */
function cartAddRequest(kind: PaymentKind, values: PaymentValues, shown: typeof price) {
  const read = readPayment(values, { kind, notary: nobody, requisites, readTypedRecipient, price: shown })
  if (!read.ok) throw new Error(JSON.stringify(read.error))
  return read.value
}

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

it('sends nothing while the fields of a typed recipient are not loaded', () => {
  const context = { notary: nobody, requisites, readTypedRecipient: null, price: null }
  expect(readPayment(typed, { kind: 'requisites_payment', ...context }).ok).toBe(false)
})

it('leaves accounts and payment codes to the server while they are not loaded', () => {
  const values = { ...typed, okpo: '14360570', purpose: '999 Державне мито 1759013776' }
  expect(paymentErrors(values, { kind: 'requisites_payment' })).toEqual({})
})

it('sends a purpose to the budget in the form in force', () => {
  const values = { ...typed, purpose: ' *;101;1759013776;Державне мито;;; ' }
  expect(cartAddRequest('requisites_payment', values, price)).toMatchObject({
    purpose: '101 Державне мито, 1759013776',
  })
})

it('sends a budget code only to a budget account', () => {
  const byHand = {
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
  expect(cartAddRequest('requisites_payment', byHand, price)).toEqual({
    client: { inn: '1759013776', full_name: 'Коваль Олена' },
    payment_type_id: 'requisites',
    amount: 330,
    sum: 350,
    recipient_name: 'Адміністратор',
    iban: 'UA513999990000026009990000001',
    okpo: '99009905',
    purpose: 'За довідку 1759013776',
  })
  const budget = {
    ...byHand,
    iban: 'UA908999980314010537000026011',
    okpo: '37993783',
    purpose: '101 За довідку 1759013776',
    templateId: 'state-duty',
  }
  expect(cartAddRequest('requisites_payment', budget, price)).toMatchObject({
    cbc_code: '22090100',
    requisites_template: 'state-duty',
  })
})
