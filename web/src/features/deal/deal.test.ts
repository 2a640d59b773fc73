import { expect, it } from 'vitest'

import type { DealKind, DealPayment, DealSum } from '@/api/deals'
import { Refusal } from '@/api/failure'
import { draftOf, forgetDraft } from '@/forms/draft'
import { err } from '@/lib/result'
import { keepInTab } from '@/lib/tab-storage'

import moneyTypedTable from '../../../../testdata/money-typed.json'

import { dealDraft } from './draft'
import { clientOf } from './pasted-client'
import { fieldOf, readDeal } from './read-deal'
import { recipientOf, regionOf } from './recipients'
import {
  actionField,
  answerField,
  codeField,
  factsOf,
  linesOf,
  nameField,
  ownSumField,
  paidElsewhere,
  payersOf,
  questionsAsked,
  reasonField,
  REGION,
  sumsNeeded,
  totalsOf,
  type DealValues,
} from './values'

const kind: DealKind = {
  id: 'sale-home',
  name: 'Купівля-продаж',
  sums: ['price'],
  optional_sums: [],
  counts_objects: false,
  counts_shares: false,
  taxpayer: null,
  questions: [
    {
      id: 'seller',
      question: 'Хто продавець?',
      answers: [{ id: 'resident', name: 'резидент' }],
      spared_by: [],
    },
  ],
  last_answers: null,
}

const rule = { ground: 'Закон', unconfirmed: false, payer_number: 1, share: null }
const due = { state: 'due', count: 1, percentage: null, stale: null } as const
const last = { payment_type_region_id: 'ua-30', payment_type_requisite_id: 'kyiv' }
const payments: readonly DealPayment[] = [
  {
    ...rule,
    id: 'tax',
    name: 'Податок',
    payer: 'seller',
    outcome: { ...due, sum: 100.5, way: { way: 'template', template_id: 'income-tax' } },
  },
  {
    ...rule,
    id: 'levy',
    name: 'Збір',
    payer: 'seller',
    outcome: { ...due, sum: 50, way: { way: 'no_requisites' } },
  },
  { ...rule, id: 'duty', name: 'Мито', payer: 'seller', outcome: { state: 'nothing' } },
  {
    ...rule,
    id: 'fee',
    name: 'Реєстрація',
    payer: 'buyer',
    outcome: {
      ...due,
      sum: 330,
      way: {
        way: 'register',
        payment_type: { id: 'registry', slug: 'registry_payment' },
        option: { id: 'option', name: 'Послуга' },
        last,
      },
    },
  },
]

const typed: DealValues = {
  kind: 'sale-home',
  price: '1 000,50',
  [answerField('seller')]: 'resident',
  [nameField('seller')]: 'Гнатюк Петро Олександрович',
  [codeField('seller')]: '3652504575',
  [nameField('buyer')]: 'Коваленко Марія Петрівна',
  [codeField('buyer')]: '3184710691',
}

function read(values: DealValues) {
  const lines = linesOf(payments, values)
  const facts = factsOf(kind, values)
  const chosen = new Map([['fee', 'kyiv']])
  return readDeal(values, { kind, facts, needed: [], lines, region: 'ua-30', chosen })
}

it('has facts once every sum and every answer is known', () => {
  const facts = { kind_id: 'sale-home', price: 1000.5, answers: { seller: 'resident' } }
  expect(factsOf(kind, { ...typed, [answerField('of another kind')]: 'yes' })).toEqual(facts)
  expect(factsOf(kind, { ...typed, price: '' })).toBeNull()
  expect(factsOf(kind, { ...typed, [answerField('seller')]: '' })).toBeNull()
})

it('leaves an optional sum out, and asks for it where payments are calculated from it', () => {
  const gift: DealKind = { ...kind, sums: ['price', 'valuation'], optional_sums: ['valuation'] }
  const facts = factsOf(gift, typed)
  expect(facts).toEqual(factsOf(kind, typed))
  expect(
    factsOf({ ...gift, optional_sums: [], counts_objects: false, counts_shares: false }, typed),
  ).toBeNull()
  const refusal = new Refusal(422, 'validation_failed', { valuation: ['amount_required'] }, null, {})
  expect(sumsNeeded(gift, refusal)).toEqual(['valuation'])
  expect(sumsNeeded(gift, null)).toEqual([])
  const readWith = (needed: readonly DealSum[]) =>
    readDeal(typed, { kind: gift, facts, needed, lines: [], region: '', chosen: new Map() })
  expect(readWith(['valuation'])).toEqual(err({ valuation: 'amount_required' }))
  expect(readWith([]).ok).toBe(true)
})

it('has a share of each payer of the taxes, equal ones where none is typed', () => {
  const sale: DealKind = { ...kind, taxpayer: 'seller' }
  const payersOfSale = (values: DealValues) => factsOf(sale, { ...typed, ...values })?.payers
  expect(payersOfSale({ payers: '1' })).toBeUndefined()
  const half = { part: 1, of: 2 }
  expect(payersOfSale({ payers: '2' })).toEqual([half, half])
  const thirds = { payers: '2', 'share 1': ' 1/3', 'share 2': '2 / 3' }
  expect(payersOfSale(thirds)).toEqual([
    { part: 1, of: 3 },
    { part: 2, of: 3 },
  ])
  // The shares of a kind without such taxes, and of payers who are no more, are not read.
  expect(factsOf(kind, { ...typed, ...thirds })?.payers).toBeUndefined()
  expect(payersOfSale({ ...thirds, payers: '' })).toBeUndefined()
  const wrong: readonly (readonly [DealValues, string])[] = [
    [{ payers: '21' }, 'payers'],
    [{ payers: 'два' }, 'payers'],
    [{ ...thirds, 'share 1': '' }, 'share 1'],
    [{ ...thirds, 'share 1': '0/3' }, 'share 1'],
    [{ ...thirds, 'share 1': '1/1001' }, 'share 1'],
    [{ ...thirds, 'share 2': '1/3' }, 'share 2'],
  ]
  for (const [values, field] of wrong) {
    const all = { ...typed, ...values }
    expect([values, factsOf(sale, all)]).toEqual([values, null])
    const context = { kind: sale, facts: null, needed: [], lines: [], region: '', chosen: new Map() }
    expect(readDeal(all, context)).toEqual(err({ [field]: 'shares_invalid' }))
  }
})

it('sends each of several payers as a client of her own', () => {
  const [tax] = payments
  if (tax === undefined) throw new Error('There is no payment.')
  const share = { part: 1, of: 2 }
  const two = [
    { ...tax, share },
    { ...tax, id: 'tax:2', payer_number: 2, share },
  ]
  const lines = linesOf(two, typed)
  expect(payersOf(lines)).toEqual(['seller', 'seller:2'])
  const values = { ...typed, [nameField('seller:2')]: 'Друга Олена', [codeField('seller:2')]: '3184710691' }
  const sent = readDeal(values, {
    kind,
    facts: factsOf(kind, typed),
    needed: [],
    lines,
    region: '',
    chosen: new Map(),
  })
  expect(sent.ok && sent.value.parties).toEqual({
    seller: { inn: '3652504575', full_name: 'Гнатюк Петро Олександрович' },
    'seller:2': { inn: '3184710691', full_name: 'Друга Олена' },
  })
  expect(sent.ok && Object.keys(sent.value.lines ?? {})).toEqual(['tax', 'tax:2'])
  expect(fieldOf('parties.seller:2.inn', lines)).toBe(codeField('seller:2'))
  expect(fieldOf('lines.tax:2.amount', lines)).toBe(actionField('tax:2'))
})

it('names what most deals do not have, and refuses what can not be', () => {
  const home: DealKind = {
    ...kind,
    sums: ['price', 'building_price', 'costs'],
    optional_sums: ['building_price', 'costs'],
    counts_objects: true,
    counts_shares: true,
    taxpayer: null,
  }
  // Nothing typed is one object and one acquirer, as of any deal.
  expect(factsOf(home, typed)).toEqual(factsOf(kind, typed))
  expect(factsOf(home, { ...typed, objects: '1', owners: ' ' })).toEqual(factsOf(kind, typed))
  const said = { ...typed, building_price: '600', costs: '100,50', objects: '2', owners: '3' }
  expect(factsOf(home, said)).toEqual({
    ...factsOf(kind, typed),
    building_price: 600,
    costs: 100.5,
    objects: 2,
    owners: 3,
  })
  const refused = (changes: DealValues) => {
    const wrong = { ...said, ...changes }
    expect(factsOf(home, wrong)).toBeNull()
    return readDeal(wrong, { kind: home, facts: null, needed: [], lines: [], region: '', chosen: new Map() })
  }
  expect(refused({ building_price: '1000,51' })).toEqual(err({ building_price: 'amount_invalid' }))
  expect(refused({ objects: '0' })).toEqual(err({ objects: 'count_invalid' }))
  expect(refused({ owners: 'дві' })).toEqual(err({ owners: 'count_invalid' }))
  expect(refused({ objects: '500', owners: '2' })).toEqual(err({ owners: 'count_invalid' }))
  // Another kind asks for none of them.
  expect(factsOf(kind, said)).toEqual(factsOf(kind, typed))
  const wrong = new Refusal(422, 'validation_failed', { building_price: ['amount_invalid'] }, null, {})
  expect(sumsNeeded(home, wrong)).toEqual([])
})

const asked = (id: string, spared_by: string[]) => ({ id, question: id, answers: [], spared_by })

it('asks nothing on which no payment depends after an earlier answer', () => {
  const home: DealKind = {
    ...kind,
    questions: [asked('seller', []), asked('turn', ['company']), asked('owned', ['company', 'third'])],
  }
  const answered = (seller: string, turn: string) => {
    const values = { ...typed, [answerField('seller')]: seller, [answerField('turn')]: turn }
    return questionsAsked(home, values).map(({ id }) => id)
  }
  expect(answered('', '')).toEqual(['seller', 'turn', 'owned'])
  expect(answered('resident', 'third')).toEqual(['seller', 'turn'])
  // What was answered before the seller was a company decides on nothing.
  expect(answered('company', 'first')).toEqual(['seller'])
  const company = { ...typed, [answerField('seller')]: 'company' }
  expect(factsOf(home, company)?.answers).toEqual({ seller: 'company' })
})

it('pays nothing here that a tax agent withholds', () => {
  const withheld = payments.map((payment) =>
    payment.id === 'tax'
      ? { ...payment, outcome: { ...due, sum: 100.5, way: { way: 'withheld' as const } } }
      : payment,
  )
  const lines = linesOf(withheld, typed)
  expect(totalsOf(lines)).toEqual({ added: 33_000, elsewhere: 15_050 })
  expect(paidElsewhere(lines).map(({ payment }) => payment.id)).toEqual(['tax', 'levy'])
})

it('adds what can be paid here, and tells the sum of the rest', () => {
  const lines = linesOf(payments, typed)
  expect(totalsOf(lines)).toEqual({ added: 43_050, elsewhere: 5000 })
  expect(payersOf(lines)).toEqual(['seller', 'buyer'])
  const without = linesOf(payments, { ...typed, [actionField('tax')]: 'leave_out' })
  expect(totalsOf(without)).toEqual({ added: 33_000, elsewhere: 5000 })
  expect(payersOf(without)).toEqual(['buyer'])
})

it('makes the request of every payment that can be paid here', () => {
  const request = read(typed)
  expect(request).toMatchObject({
    ok: true,
    value: {
      parties: { seller: { inn: '3652504575' }, buyer: { full_name: 'Коваленко Марія Петрівна' } },
      lines: {
        tax: { action: 'add', amount: 100.5 },
        fee: { action: 'add', payment_type_region_id: 'ua-30', payment_type_requisite_id: 'kyiv' },
      },
    },
  })
  expect(request.ok && Object.keys(request.value.lines ?? {})).toEqual(['tax', 'fee'])
})

it('needs a reason for what differs from the calculation', () => {
  const leftOut = { ...typed, [actionField('tax')]: 'leave_out' }
  expect(read(leftOut)).toEqual({ ok: false, error: { [reasonField('tax')]: 'field_required' } })
  const other = { ...typed, [actionField('tax')]: 'other_sum', [reasonField('tax')]: 'Витрати' }
  expect(read(other)).toEqual({ ok: false, error: { [ownSumField('tax')]: 'amount_required' } })
  expect(read({ ...other, [ownSumField('tax')]: '90' })).toMatchObject({
    value: { lines: { tax: { action: 'other_sum', amount: 90, reason: 'Витрати' } } },
  })
  // A fee costs what its table says.
  const fee = linesOf(payments, { ...typed, [actionField('fee')]: 'other_sum' })
  expect(fee.at(-1)?.action).toBe('add')
})

it('asks only for those who pay', () => {
  const errors = read({ ...typed, [nameField('buyer')]: '', [codeField('seller')]: '123' })
  expect(errors).toEqual({
    ok: false,
    error: {
      [nameField('buyer')]: 'client_full_name_required',
      [codeField('seller')]: 'client_inn_format_invalid',
    },
  })
  const sellerOnly = {
    ...typed,
    [nameField('buyer')]: '',
    [actionField('fee')]: 'leave_out',
    [reasonField('fee')]: 'Сплачено',
  }
  expect(read(sellerOnly)).toMatchObject({ ok: true })
})

const requisite = (id: string) => ({
  id,
  name: id,
  iban: '',
  okpo: '',
  budget_code: null,
  demonstration: false,
  unconfirmed: null,
})

it('offers the region and the recipient of the latest fee, or the only one', () => {
  const lines = linesOf(payments, typed)
  const [fee] = lines.slice(-1)
  expect(regionOf(lines, typed)).toBe('ua-30')
  expect(regionOf(lines, { ...typed, [REGION]: 'ua-46' })).toBe('ua-46')
  const recipient = (...ids: string[]) => (fee ? recipientOf(fee, typed, ids.map(requisite)) : null)
  expect(recipient('other', 'kyiv')).toBe('kyiv')
  expect(recipient('other', 'another')).toBe('')
  expect(recipient('other')).toBe('other')
})

it('shows a refusal at its field', () => {
  const lines = linesOf(payments, typed)
  for (const [wireName, field] of [
    ['price', 'price'],
    ['parties.buyer.inn', codeField('buyer')],
    ['parties.seller.full_name', nameField('seller')],
    ['lines.tax.reason', reasonField('tax')],
    ['lines.tax.purpose', actionField('tax')],
    ['lines.fee.payment_type_region_id', REGION],
    ['lines.unknown.amount', null],
    ['answers', null],
  ] as const)
    expect([wireName, fieldOf(wireName, lines)]).toEqual([wireName, field])
})

it('keeps only a draft of texts', () => {
  for (const damaged of [
    null,
    'text',
    { values: typed },
    { values: { price: 5 }, intent: null },
    { values: typed, intent: 5 },
  ]) {
    keepInTab(dealDraft.name, 'olena', damaged)
    expect(draftOf(dealDraft, 'olena')).toBeNull()
  }
  keepInTab(dealDraft.name, 'olena', { values: typed, intent: null })
  expect(draftOf(dealDraft, 'olena')?.values).toEqual(typed)
  forgetDraft(dealDraft)
})

it('reads a name and a code that were copied together', () => {
  const petro = { name: 'Гнатюк Петро Олександрович', code: '3652504575' }
  for (const text of [
    'Гнатюк Петро Олександрович 3652504575',
    'Гнатюк Петро  Олександрович,\t3652504575',
    'Гнатюк Петро Олександрович, код 3652504575',
    'Гнатюк Петро Олександрович (РНОКПП: 3652504575)',
    '3652504575 Гнатюк Петро Олександрович',
  ])
    expect(clientOf(text)).toEqual(petro)
  expect(clientOf('ТОВ «Зоря 2000», ЄДРПОУ 37193071')).toEqual({ name: 'ТОВ «Зоря 2000»', code: '37193071' })
  for (const text of ['Гнатюк Петро', '3652504575', 'вул. Франка, 12', '']) expect(clientOf(text)).toBeNull()
})

it.each(moneyTypedTable.cases)('reads a price as it was typed: $name', ({ input, expect: expected }) => {
  const { kopiykas, slip } = expected as { kopiykas?: number; slip?: number }
  const sum = kopiykas ?? slip
  const facts = factsOf(kind, { price: input, [answerField('seller')]: 'resident' })
  expect(facts?.price).toBe(sum === undefined ? undefined : sum / 100)
})
