import { renderHook } from '@testing-library/react'
import { act } from 'react'
import { expect, it, vi } from 'vitest'

import type { CartItem } from '@/api/cart'
import { payNext, takePayNext } from '@/lib/pay-next'
import { cartItem } from '@/testing/samples'

import { useFolds } from './folds'
import type { CartSection } from './model'

vi.mock('@tanstack/react-router', () => ({ useLocation: () => ({ hash: '' }) }))

const change = cartItem().change

function section(id: string, item: Partial<CartItem> = {}): CartSection {
  const items = [{ ...cartItem(), id: `item-of-${id}`, ...item }]
  const rows = items.map((each) => ({ item: each, removed: false }))
  return { client: { id } as CartSection['client'], rows, items } as unknown as CartSection
}

const names = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth']

function open(sections: readonly CartSection[], troubled: ReadonlySet<string> = new Set()) {
  const rendered = renderHook(
    (props: { sections: readonly CartSection[]; troubled: ReadonlySet<string> }) => {
      const foldOf = useFolds(props.sections, (id) => props.troubled.has(id))
      return props.sections.map((each) => ({ id: each.client.id, fold: foldOf(each) }))
    },
    { initialProps: { sections, troubled } },
  )
  return {
    ...rendered,
    unfolded: () =>
      rendered.result.current.filter(({ fold }) => fold?.isFolded === false).map(({ id }) => id),
  }
}

it('a cart of few clients folds nothing', () => {
  expect(open(names.slice(1).map((id) => section(id))).result.current[0]?.fold).toBeNull()
})

it('the first client is unfolded, and who is paid next', () => {
  payNext('item-of-third')
  expect(open(names.map((id) => section(id))).unfolded()).toEqual(['first', 'third'])
  takePayNext()
})

it('what was unfolded by itself stays so once its reason is over', () => {
  expect(change).toBeNull()
  const changed = { ...cartItem(), change: { kind: 'price' } } as unknown as CartItem
  const { rerender, unfolded } = open(
    names.map((id) => (id === 'third' ? section(id, changed) : section(id))),
  )
  expect(unfolded()).toEqual(['first', 'third'])
  rerender({ sections: names.slice(1).map((id) => section(id)), troubled: new Set() })
  expect(unfolded()).toEqual(['second', 'third'])
})

it('a payment in trouble is in sight, also where its client was folded', () => {
  const sections = names.map((id) => section(id))
  const { result, rerender, unfolded } = open(sections)
  act(() => result.current[0]?.fold?.toggle())
  expect(unfolded()).toEqual([])
  rerender({ sections, troubled: new Set(['item-of-first']) })
  expect(unfolded()).toEqual(['first'])
})

it('a client whose last payment was deleted is unfolded: it can be restored there', () => {
  const gone = { ...section('sixth'), items: [] }
  expect(open([...names.slice(0, 5).map((id) => section(id)), gone]).unfolded()).toEqual(['first', 'sixth'])
})
