import { expect, test } from 'vitest'
import { pages } from '../../build/pages'
import { makeRouter } from './router'

const byPath = (one: { path: string }, other: { path: string }) => one.path.localeCompare(other.path)

test('the list of pages has every route with its layout, and no other', () => {
  const routes = Object.entries(makeRouter().routesByPath)
    .filter(([, { options }]) => options.staticData?.title !== undefined)
    .map(([path, { id }]) => ({ path, layout: id.startsWith('/signed-in') ? 'cabinet' : 'guest' }))
  const listed = pages.map(({ path, layout }) => ({ path, layout }))
  expect(listed.toSorted(byPath)).toEqual(routes.toSorted(byPath))
})
