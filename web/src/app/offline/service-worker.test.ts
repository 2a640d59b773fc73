import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const pages = '../crates/api/src/pages'

/** The sources of the server's own pages. */
const sources = readdirSync(pages, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.rs'))
  .map((name) => readFileSync(`${pages}/${name}`, 'utf8'))
  .join('\n')

/** The first part of the address of each. */
const firstParts = new Set(
  Array.from(sources.matchAll(/\.route\("\/(?<first>[^"/]+)/gu), ({ groups }) => groups?.['first'] ?? ''),
)

it('leaves every page of the server to the server', () => {
  const source = readFileSync('build/service-worker-source.js', 'utf8')
  const pattern = /const isOfServer = \(path\) =>\s+\/(?<pattern>.+)\/u\.test/u.exec(source)?.groups?.[
    'pattern'
  ]
  // The name of the function may have changed.
  if (pattern === undefined) throw new Error('The pattern is not where it was.')
  const isOfServer = new RegExp(pattern, 'u')
  expect(firstParts).toContain('pay')
  for (const first of ['api', ...firstParts]) expect(`/${first}/x`).toMatch(isOfServer)
  for (const path of ['/', '/cart', '/order/x', '/payments']) expect(path).not.toMatch(isOfServer)
})
