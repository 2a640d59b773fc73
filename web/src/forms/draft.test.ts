import { afterEach, beforeEach, expect, test } from 'vitest'
import { session } from '@/api/session'
import { keepInTab } from '@/lib/tab-storage'
import {
  departuresSoFar,
  draftOf,
  forgetDraft,
  forgetTypedByOthers,
  GUEST,
  hasDrafts,
  keepDraft,
  type DraftKey,
} from './draft'

const inMemory: DraftKey<string> = { name: 'memory', asksBeforeLeaving: true }
const inTab: DraftKey<string> = {
  name: 'draft',
  read: (stored) => (typeof stored === 'string' ? stored : null),
  asksBeforeLeaving: true,
}

const signIn = () => session.open({ access_token: 'token', expires_in: 900, notary_id: 'a-notary' })

beforeEach(signIn)
afterEach(() => {
  forgetDraft(inMemory)
  forgetDraft(inTab)
  session.close()
})

test.each([inMemory, inTab])('a draft in the $name is its owner’s alone', (key) => {
  keepDraft(key, 'olena', 'Мито')
  expect(draftOf(key, 'olena')).toBe('Мито')
  expect(draftOf(key, 'other')).toBeNull()
  expect(draftOf(key, 'olena')).toBeNull()
})

test('only the tab has a draft after a reload, and only the draft that is meant for it', () => {
  expect(keepDraft(inMemory, 'olena', 'Мито')).toBe(false)
  expect(sessionStorage).toHaveLength(0)
  expect(keepDraft(inTab, 'olena', 'Мито')).toBe(true)
  expect(sessionStorage).toHaveLength(1)
})

test.each([inMemory, inTab])('a draft in the $name is known without its name', (key) => {
  keepInTab('archive-search', 'olena', 'Коваль')
  expect(hasDrafts()).toBe(false)
  keepDraft(key, 'olena', 'Мито')
  expect(hasDrafts()).toBe(true)
  forgetDraft(key)
  expect(hasDrafts()).toBe(false)
})

test.each([inMemory, inTab])('a draft in the $name outlasts a session that ended by itself', (key) => {
  keepDraft(key, 'olena', 'Мито')
  session.expire()
  signIn()
  expect(draftOf(key, 'olena')).toBe('Мито')
})

test.each([inMemory, inTab])('a draft in the $name is forgotten when its owner leaves', (key) => {
  const before = departuresSoFar()
  keepDraft(key, 'olena', 'Мито')
  session.close()
  expect(departuresSoFar()).toBe(before + 1)
  signIn()
  expect(draftOf(key, 'olena')).toBeNull()
})

test('what a guest has typed is forgotten when somebody signs in, and what a notary has is not', () => {
  session.close()
  keepDraft(inMemory, GUEST, '+380')
  keepDraft({ ...inMemory, name: 'card' }, 'olena', '7')
  signIn()
  expect(draftOf(inMemory, GUEST)).toBeNull()
  expect(draftOf({ ...inMemory, name: 'card' }, 'olena')).toBe('7')
})

test.each([inMemory, inTab])('a draft in the $name is forgotten when another notary opens a page', (key) => {
  keepDraft(key, 'olena', 'Мито')
  session.expire()
  signIn()
  forgetTypedByOthers('taras')
  expect(draftOf(key, 'olena')).toBeNull()
  keepDraft(key, 'taras', 'Збір')
  forgetTypedByOthers('taras')
  expect(draftOf(key, 'taras')).toBe('Збір')
})

test('all that is kept in the tab is forgotten when another notary opens a page', () => {
  keepDraft(inTab, 'olena', 'Мито')
  keepInTab('archive-search', 'olena', { key: 'Коваль' })
  forgetTypedByOthers('olena')
  expect(sessionStorage).toHaveLength(2)
  forgetTypedByOthers('taras')
  expect(sessionStorage).toHaveLength(0)
})
