import { expect, test } from 'vitest'
import { archiveSearch, clientIn, paymentSearch } from './search'

test.each([
  [{ repeat_item_id: 'item-1' }, { repeat_item_id: 'item-1' }],
  [{ repeat_item_id: 12 }, { repeat_item_id: '12' }],
  [{ client: { inn: '3184710691', full_name: 'Коваль' }, repeat_item_id: '', foreign: '1' }, {}],
])('of the payment form, %j is read as %j', (given, read) => {
  expect(paymentSearch(given)).toEqual(read)
})

test.each([
  [
    { inn: '3184710691', full_name: 'Коваль' },
    { inn: '3184710691', full_name: 'Коваль' },
  ],
  [{ inn: 3184710691 }, { inn: '3184710691', full_name: '' }],
  ['nobody', null],
  [null, null],
  [5, null],
  [true, null],
  [['1759013776'], null],
  [{ inn: { digits: 1 } }, null],
])('of the client in an address, %j is read as %j', (client, read) => {
  expect(clientIn({ client })).toEqual(read)
})

test.each([
  [
    { status: 'paid', from: '2026-11-01', to: '2026-11-20' },
    { status: 'paid', from: '2026-11-01', to: '2026-11-20' },
  ],
  [{ status: 'lost', from: '1.11.2026', to: 20261120 }, {}],
  [{ open: '0198-a.b_2' }, { open: '0198-a.b_2' }],
  [{ open: 100042 }, { open: '100042' }],
  [{ open: 'a..b' }, {}],
  [{ open: 'a b' }, {}],
  [{ open: Array.from({ length: 21 }, () => 'a').join('.') }, {}],
])('of the archive, %j is read as %j', (given, read) => {
  expect(archiveSearch(given)).toEqual(read)
})
