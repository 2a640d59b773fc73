// Deals of usual days, and what the notary has done before: one deal of the kind, and payments for the known clients.

import { once } from '../lib/notary.mjs'
import { recipientIn } from '../lib/payments.mjs'
import { ownAccount, REGION } from './usual-payments.mjs'

/** Clients with right check digits. */
const PETRO = { full_name: 'Гнатюк Петро Олександрович', inn: '3652504575' }
const MARIA = { full_name: 'Коваленко Марія Петрівна', inn: '3184710691' }
const COMPANY = { full_name: 'ТОВ «Зоря»', inn: '37193071' }
const IHOR = { full_name: 'Коваль Ігор Ілліч', inn: '2894512347' }
const OKSANA = { full_name: 'Бондар Оксана Юріївна', inn: '3068208400' }

const known = (client) => ({ ...client, known: true })
const copied = (client) => ({ ...client, copied: true })

const FLAT_ANSWERS = {
  seller: 'seller-resident',
  buyer: 'buyer-person',
  'real-estate-sale': 'real-estate-sale-second',
  owned: 'owned-over-3-years',
  'pension-levy-exemption': 'pension-levy-due',
  'registration-exemption': 'registration-fee-due',
}
const flat = { kind: 'sale-home', sums: [1_500_000, 2_100_000], answers: FLAT_ANSWERS, otherwise: [] }

/**
 * `sums` are typed; `answers` are those of the deal before, `otherwise` the answers that are others this time. `parties` are those who
 * pay, by their headings, in the order of the page.
 */
export const DEALS = [
  {
    what: 'sale of a flat, both clients known',
    ...flat,
    parties: { Продавець: known(PETRO), Покупець: known(MARIA) },
    most: { clicks: 8, keys: 45 },
  },
  {
    what: 'sale of a flat, a new buyer',
    ...flat,
    parties: { Продавець: known(PETRO), Покупець: IHOR },
    most: { clicks: 12, keys: 80 },
  },
  {
    what: 'sale of a flat, both new',
    ...flat,
    parties: { Продавець: OKSANA, Покупець: IHOR },
  },
  {
    what: 'sale of a flat, both new, copied from the contract',
    ...flat,
    parties: { Продавець: copied(OKSANA), Покупець: copied(IHOR) },
    most: { clicks: 12, keys: 45 },
  },
  {
    what: 'second sale of a car in the year, a known seller',
    kind: 'sale-car',
    sums: [320_000, 350_000],
    answers: { seller: 'seller-resident', buyer: 'buyer-person', 'vehicle-sale': 'vehicle-sale-second' },
    otherwise: [],
    parties: { Продавець: known(PETRO) },
  },
  {
    what: 'inheritance of a flat, a new heir',
    kind: 'inheritance-real-estate',
    sums: [900_000],
    answers: {
      heir: 'heir-close-kin',
      'heir-residency': 'heir-residency-all',
      'registration-exemption': 'registration-fee-due',
    },
    otherwise: [],
    parties: { Спадкоємець: OKSANA },
  },
  {
    what: 'gift of a flat to a close relative, a known donor',
    kind: 'gift-real-estate',
    sums: [1_100_000],
    answers: {
      donor: 'donor-person',
      recipient: 'recipient-close-kin',
      residency: 'residency-all',
      'registration-exemption': 'registration-fee-due',
    },
    otherwise: [],
    parties: { Дарувальник: known(PETRO), Обдаровуваний: IHOR },
  },
  {
    what: 'change of a company, a known company',
    kind: 'entity-change',
    sums: [],
    answers: { 'business-term': 'business-term-24h', 'register-extract': 'register-extract-no' },
    otherwise: [],
    parties: { 'Особа, відомості про яку змінюються': known(COMPANY) },
  },
  {
    what: 'mortgage, a new mortgagor',
    kind: 'mortgage',
    sums: [1_200_000],
    answers: { 'other-right-term': 'other-right-term-5wd', 'registration-exemption': 'registration-fee-due' },
    otherwise: [],
    parties: { Іпотекодавець: IHOR },
  },
]

/** Makes a notary with a saved card, the known clients, and one paid deal of the kind. Fills in the name of the kind. */
export async function dayBefore(cabinet, number, deal) {
  const notary = await cabinet.signUp(number)
  await ownAccount(notary)
  const { kinds } = await notary.get('/deal/kinds')
  deal.name = kinds.find(({ id }) => id === deal.kind).name
  const clients = Object.values(deal.parties).map((client) => (client.known ? client : MARIA))
  await earlierDeal(notary, deal, clients)
  await notary.payAll({ save: true })
  // From the second deal on she pays by the saved card, and proves once that she pays to her own account.
  await earlierDeal(notary, deal, clients)
  const { tokens } = await notary.get('/order/token/get-all-tokens-by-phone')
  for (const { client } of (await notary.cart()).groups)
    await notary.createOrder(client.id, { token_id: tokens[0].Token })
  return { phone: notary.phone }
}

/** Puts the payments of an earlier deal of the kind into the cart. */
async function earlierDeal(notary, deal, clients) {
  const { kinds } = await notary.get('/deal/kinds')
  const { sums } = kinds.find(({ id }) => id === deal.kind)
  const facts = {
    kind_id: deal.kind,
    answers: deal.answers,
    ...Object.fromEntries(sums.map((sum, index) => [sum, deal.sums[index]])),
  }
  const { payments } = await notary.post('/deal/calculate', facts)
  const lines = {}
  const payers = new Set()
  for (const { id, payer, outcome } of payments) {
    const way = outcome.way?.way
    if (way !== 'fee' && way !== 'register' && way !== 'template') continue
    payers.add(payer)
    lines[id] = { action: 'add', amount: outcome.sum ?? 100 }
    if (outcome.state === 'unknown') lines[id].action = 'other_sum'
    if (way !== 'template') Object.assign(lines[id], await recipientOf(notary, outcome.way))
  }
  const parties = Object.fromEntries(
    [...payers].map((payer, index) => {
      const { inn, full_name } = clients[index] ?? MARIA
      return [payer, { inn, full_name }]
    }),
  )
  await notary.post('/deal/cart', { ...facts, parties, lines }, once())
}

async function recipientOf(notary, { payment_type, term }) {
  const recipient = await recipientIn(notary, REGION, payment_type.id, term?.id)
  return { payment_type_region_id: REGION, payment_type_requisite_id: recipient }
}
