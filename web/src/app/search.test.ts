import { expect, test } from 'vitest'
import { archiveSearch, paymentSearch } from './search'

test.each([
  [{ repeat_item_id: 'item-1' }, { repeat_item_id: 'item-1' }],
  [{ repeat_item_id: 12 }, { repeat_item_id: '12' }],
  [
    { client: { inn: '3184710691', full_name: 'Коваль' } },
    { client: { inn: '3184710691', full_name: 'Коваль' } },
  ],
  [{ client: { inn: 3184710691 } }, { client: { inn: '3184710691', full_name: '' } }],
  [{ client: 'nobody', repeat_item_id: '', foreign: '1' }, {}],
  [{ client: null }, {}],
  [{ client: 5 }, {}],
  [{ client: true }, {}],
  [{ client: ['1759013776'] }, {}],
  [{ client: { inn: { digits: 1 } } }, {}],
])('of the payment form, %j is read as %j', (given, read) => {
  expect(paymentSearch(given)).toEqual(read)
})

test.each([
  [
    { status: 'paid', from: '2026-11-01', to: '2026-11-20' },
    { status: 'paid', from: '2026-11-01', to: '2026-11-20' },
  ],
  [{ status: 'lost', from: '1.11.2026', to: 20261120 }, {}],
])('of the archive, %j is read as %j', (given, read) => {
  expect(archiveSearch(given)).toEqual(read)
})
