import { readFileSync } from 'node:fs'
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

test('the list of pages names the module that the route of each page loads', () => {
  const loaded = readFileSync('src/app/routes.tsx', 'utf8')
    .split('createRoute({')
    .flatMap((route) => {
      const path = /path: '(?<path>[^']+)'/u.exec(route)?.groups?.['path']
      const module = /page\(\(\) => import\('(?<module>[^']+)'\)/u.exec(route)?.groups?.['module']
      if (path === undefined || module === undefined) return []
      return [`${path} ${module.replace('@/', 'src/').replace('./', 'src/app/')}.tsx`]
    })
  // The routes of an order name the rest of their address.
  const listed = pages.map(({ path, module }) => `${path.replace(/^\/order\/\$id\/?/u, '/')} ${module}`)
  expect(listed.toSorted()).toEqual(loaded.toSorted())
})
