import { describe, expect, it } from 'vitest'

import { noAct } from '@/testing/samples'
import type { Cart, CartItem } from '@/api/cart'

import { placeOf, sectionsOf, withCount, withoutItem } from './model'

function item(id: string, sumFull: number, count = 1): CartItem {
  return {
    id,
    created_at: '2026-11-20T10:00:00Z',
    payment_type: { id: 'registry', slug: 'registry_payment' },
    payment_type_option: { id: 'extract', name: 'Витяг' },
    payment_type_option_term: null,
    payment_type_region: null,
    payment_type_requisite: null,
    recipient_name: null,
    iban: null,
    okpo: null,
    purpose: 'Витяг',
    cbc_code: null,
    filing_year: null,
    transfers: [
      {
        recipient_name: 'ДП НАІС',
        recipient_code: '39787008',
        iban: 'UA223052990000026001234567890',
        purpose: 'Витяг',
        amount: (sumFull - 10) * count,
      },
    ],
    count,
    sum_base: sumFull - 10,
    commission: 10,
    sum_full: sumFull,
    sum_total: sumFull * count,
    change: null,
    complaint_number: null,
  }
}

const olena = { id: 'olena', inn: '1759013776', full_name: 'Коваль Олена' }
const petro = { id: 'petro', inn: '3068208400', full_name: 'Мельник Петро' }
const cart: Cart = {
  version: 1,
  items_count: 3,
  groups: [
    { client: olena, act: noAct, amount: 430.3, items: [item('a', 180), item('b', 125.15, 2)] },
    { client: petro, act: noAct, amount: 50, items: [item('c', 50)] },
  ],
}

describe('an optimistic cart', () => {
  it('counts its sums in kopiykas', () => {
    const changed = withCount(cart, 'b', 3)
    expect(changed.groups[0]).toMatchObject({ amount: 555.45 })
    expect(changed.groups[0]?.items[1]).toMatchObject({
      count: 3,
      sum_total: 375.45,
      transfers: [{ amount: 345.45 }],
    })
    expect(changed.groups[1]).toEqual(cart.groups[1])
  })

  it('loses a client with the last item', () => {
    const left = withoutItem(cart, 'c')
    expect(left.items_count).toBe(2)
    expect(left.groups.map(({ client }) => client.id)).toEqual(['olena'])
  })
})

describe('the page’s sections', () => {
  it('are the groups with what they come to', () => {
    expect(sectionsOf(cart, []).map(({ amount, items }) => ({ amount, itemsCount: items.length }))).toEqual([
      { amount: 43_030, itemsCount: 2 },
      { amount: 5_000, itemsCount: 1 },
    ])
  })

  it('keep the place of a deleted item and leave it out of the sum', () => {
    const removed = [placeOf(cart, 'a'), placeOf(cart, 'c')].filter((place) => place !== null)
    const left = withoutItem(withoutItem(cart, 'a'), 'c')
    const sections = sectionsOf(left, removed)
    expect(
      sections.map(({ client, rows }) => [client.id, rows.map((row) => [row.item.id, row.removed])]),
    ).toEqual([
      [
        'olena',
        [
          ['a', true],
          ['b', false],
        ],
      ],
      ['petro', [['c', true]]],
    ])
    expect(sections.map(({ amount }) => amount)).toEqual([25_030, 0])
  })

  it('show an item once when it is back', () => {
    const place = placeOf(cart, 'a')
    expect(sectionsOf(cart, place === null ? [] : [place])[0]?.rows).toHaveLength(2)
  })
})
