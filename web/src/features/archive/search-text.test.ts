import { afterEach, expect, it } from 'vitest'

import { session } from '@/api/session'

import { stateWithText, textOf } from './search-text'

afterEach(() => session.close())

it('is in the history entry by a random key only, and comes back for its notary', () => {
  const first = stateWithText('3184710691', 'olena')
  const second = stateWithText('Коваленко', 'olena')
  expect(JSON.stringify([first, second])).not.toMatch(/3184710691|Коваленко/u)
  expect(textOf(first, 'olena')).toBe('3184710691')
  expect(textOf(second, 'olena')).toBe('Коваленко')
  expect(stateWithText('3184710691', 'olena')).toEqual(first)
  expect(textOf(first, 'petro')).toBeUndefined()
})

it('that is empty leaves nothing in the history entry', () => {
  expect(stateWithText('', 'olena')).toEqual({})
  expect(textOf({}, 'olena')).toBeUndefined()
})

it('outlasts a reload, and is gone after a logout', () => {
  const entry = stateWithText('Коваленко', 'olena')
  expect(sessionStorage.getItem('cabinet.archive-search')).toContain('Коваленко')
  // Another notary's texts replace those in memory, so the next reading is from the storage, as after a reload.
  const stored = sessionStorage.getItem('cabinet.archive-search') ?? ''
  textOf(entry, 'petro')
  sessionStorage.setItem('cabinet.archive-search', stored)
  expect(textOf(entry, 'olena')).toBe('Коваленко')

  session.close()
  expect(sessionStorage.getItem('cabinet.archive-search')).toBeNull()
  expect(textOf(entry, 'olena')).toBeUndefined()
})

it('that may be the number of a card comes back in its page alone', () => {
  const entry = stateWithText('4242 4242 4242 4242', 'olena')
  expect(textOf(entry, 'olena')).toBe('4242 4242 4242 4242')
  expect(sessionStorage.getItem('cabinet.archive-search')).not.toContain('4242')
})
