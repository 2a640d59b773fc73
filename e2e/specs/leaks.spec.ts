import { appendFileSync } from 'node:fs'
import { expect, test } from '@playwright/test'
import { startCabinet } from '../support/cabinet.ts'
import { changeData } from '../support/database.ts'
import { leaksIn, type Secrets } from '../support/leaks.ts'
import { PEOPLE } from '../support/people.ts'
import { CARDS } from '../support/sandbox.ts'
import { ask, scan, type Traffic } from '../support/scan.ts'

const SECRETS: Secrets = {
  names: ['Мар’яна Згурська-Їжакевич'],
  numbers: ['+380501112233', '2817364509', 'АБ123456'],
  texts: ['eyJhbGciOiJIUzI1NiJ9.secret', 'liudmyla@private.example'],
  cards: 'any',
}

const base64 = (text: string): string => Buffer.from(text).toString('base64')

test('finds what is planted, whatever it is disguised as', () => {
  for (const text of [
    'Мар’яна Згурська-Їжакевич',
    'мар\u02bcяна  згурська\u2011їжакевич',
    'Мар\u200b’яна Згур\u00adська-Їжакевич',
    'Mariana Zghurska-Yizhakevych',
    encodeURIComponent('Мар’яна Згурська-Їжакевич'),
    'a=1&q=%D0%9C%D0%B0%D1%80%E2%80%99%D1%8F%D0%BD%D0%B0+%D0%97%D0%B3%D1%83%D1%80%D1%81%D1%8C%D0%BA%D0%B0-%D0%87%D0%B6%D0%B0%D0%BA%D0%B5%D0%B2%D0%B8%D1%87',
    JSON.stringify('Мар’яна Згурська-Їжакевич').replaceAll(
      /[\u0080-\uffff]/gu,
      (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
    `token ${base64('name=Мар’яна Згурська-Їжакевич')}`,
    '+380501112233',
    'phone 050 111-22-33.',
    '+38 (050) 111-22-33',
    '\uff10\uff15\uff10\uff11\uff11\uff11\uff12\uff12\uff13\uff13',
    '٠٥٠١١١٢٢٣٣',
    '0\u200b50\u200b1112233',
    '"2817364509"',
    '28 1736 4509',
    'АБ 123456',
    'cookie=eyJhbGciOiJIUzI1NiJ9.secret;',
    'mailto:liudmyla%40private.example',
    '4242424242424242',
    '4242 4242 4242 4242',
    '４２４２\u00ad4242.4242.4242',
  ])
    expect(leaksIn(`{"message":"before ${text} after"}`, SECRETS), text).not.toEqual([])
})

test('finds nothing in what only looks alike', () => {
  for (const text of [
    '2026-11-23T06:15:24.501112233Z',
    '1770000000123456',
    '0199aaaa-0501-7112-8233-000000000000',
    '9328173645091',
    'Марія Згурська',
    '424242******4242',
    'UA223052990000026001234567890',
    '12.050.111.22.339',
    'seconds_sum 4.242424242424242',
    // Weeks, with the digits of a card of 15.
    'seconds_sum 3782822.46310005',
  ])
    expect(leaksIn(`{"message":"before ${text} after"}`, SECRETS), text).toEqual([])
})

test('among measured numbers only the cards of the sandbox are found, whatever they are disguised as', () => {
  const known: Secrets = { names: [], numbers: [], texts: [], cards: Object.values(CARDS) }
  for (const text of ['4242424242424242', '4000 0000 0000 0002', '４２４２\u00ad4242.4242.4242'])
    expect(leaksIn(`took ${text} ms`, known), text).not.toEqual([])
  // Right check digits, by chance.
  for (const text of ['4111111111111111', '5500000000000004', '371449635398431'])
    expect(leaksIn(`took ${text} ms`, known), text).toEqual([])
})

test('a run that leaves something behind fails', async () => {
  test.slow()
  const cabinet = await startCabinet('leaks')
  const traffic: Traffic = { addresses: new Set(['/order?limit=50']), tokens: new Set() }
  const told = await ask(cabinet)
  expect(told.metrics).toContain('http_request_duration_seconds')
  expect(scan(cabinet, traffic, told)).toEqual([])

  appendFileSync(cabinet.logs[0] ?? '', `{"message":"a code for ${PEOPLE.byCode.slice(3)}"}\n`)
  traffic.addresses.add(`/new?client=${encodeURIComponent('Коваль Олена Іванівна')}`)
  traffic.tokens.add('a-token-that-was-used-in-a-test')
  changeData(
    cabinet,
    `insert into order_events (id, order_id, number, at, kind, detail)
     select randomblob(16), id, 1000, 0, 'test', 'Шевчук Ірина Петрівна' from orders limit 1`,
  )
  changeData(cabinet, "update counters set name = name || 'a-token-that-was-used-in-a-test'")
  const found = scan(cabinet, traffic, {
    metrics: `${told.metrics}\nlogins_total{phone="+380502223344"} 1\nseconds_sum 4242424242424242`,
    letters: JSON.stringify([{ text: 'Платник: 3652504575, картка 4242 4242 4242 4242' }]),
  }).join('\n')
  for (const place of [
    'log: number',
    'addresses: name',
    'metrics: number',
    'letters: card',
    'table order_events: name',
    ': a token',
  ])
    expect(found).toContain(place)
  expect(found).not.toContain('metrics: card')
  await cabinet.stop()
})
