import { expect, it } from 'vitest'

import { filterOf, isFiltered, withPart } from './filter'

it('joins what the address keeps with what only the history does', () => {
  expect(filterOf({ status: 'paid', from: '2026-11-01' }, ' коваль ')).toEqual({
    status: 'paid',
    from: '2026-11-01',
    text: 'коваль',
  })
  expect(filterOf({}, '  ')).toEqual({})
  expect(isFiltered({})).toBe(false)
})

it('changes one part and leaves an empty one out of the address', () => {
  expect(withPart({ status: 'paid', from: '2026-11-01' }, 'status', 'failed')).toEqual({
    status: 'failed',
    from: '2026-11-01',
  })
  expect(withPart({ status: 'paid', from: '2026-11-01' }, 'status', '')).toEqual({ from: '2026-11-01' })
  expect(withPart({ status: 'paid' }, 'to', '2026-11-30')).toEqual({ status: 'paid', to: '2026-11-30' })
  expect(withPart({ status: 'paid' }, 'status', 'nonsense')).toEqual({})
})
