import assert from 'node:assert/strict'
import { test } from 'node:test'

import { allows, check } from './check-packages.mjs'

const CHECKSUM = `sha512-${'A'.repeat(86)}==`
const good = { version: '1.0.0', integrity: CHECKSUM, license: 'MIT' }

/** The problems of a folder with one package. */
const problemsWith = (locked, manifest = {}) =>
  check(manifest, { lockfileVersion: 3, packages: { '': {}, 'node_modules/a': { ...good, ...locked } } })

const isAllowed = (licence) => licence === 'MIT' || licence === 'ISC'

test('licence expressions are read as SPDX writes them', () => {
  for (const [expression, allowed] of [
    ['MIT', true],
    ['GPL-3.0', false],
    ['(MIT OR GPL-3.0)', true],
    ['MIT AND GPL-3.0', false],
    ['GPL-3.0 OR MIT AND ISC', true],
    ['(GPL-3.0 OR MIT) AND (ISC OR GPL-3.0)', true],
    ['MIT GPL-3.0', false],
    ['(MIT', false],
    ['', false],
    ['OR', false],
    ['SEE LICENSE IN LICENSE', false],
    [undefined, false],
  ])
    assert.equal(allows(expression, isAllowed), allowed, expression)
})

test('a package as it should be has no problem', () => {
  assert.deepEqual(problemsWith({}), [])
  assert.deepEqual(problemsWith({ resolved: 'https://registry.npmjs.org/a/-/a-1.0.0.tgz' }), [])
  assert.deepEqual(problemsWith({ license: 'MPL-2.0', dev: true }), [])
  assert.deepEqual(problemsWith({ hasInstallScript: true }, { allowScripts: { a: false } }), [])
})

test('each thing that is wrong with a package is named', () => {
  for (const [locked, manifest] of [
    [{ resolved: 'git+ssh://git@github.com/a/a.git#0123' }],
    [{ resolved: 'http://registry.npmjs.org/a/-/a-1.0.0.tgz' }],
    [{ resolved: 'https://registry.npmjs.org.example/a.tgz' }],
    [{ integrity: undefined }],
    [{ integrity: 'sha1-AAAA' }],
    [{ integrity: undefined, inBundle: true }],
    [{ license: 'GPL-3.0' }],
    [{ license: undefined }],
    [{ license: 'MPL-2.0' }],
    [{ link: true }],
    [{ hasInstallScript: true }],
    [{}, { allowScripts: { b: true } }],
    [{}, { dependencies: { a: '^1.0.0' } }],
    [{}, { devDependencies: { a: 'git+https://github.com/a/a.git' } }],
  ])
    assert.equal(problemsWith(locked, manifest).length, 1, JSON.stringify([locked, manifest]))
})

test('a package inside the archive of another is held by the checksum of that archive', () => {
  const inside = { ...good, integrity: undefined, inBundle: true }
  const problems = (outer) =>
    check(
      {},
      {
        lockfileVersion: 3,
        packages: { '': {}, 'node_modules/a': outer, 'node_modules/a/node_modules/@b/c': inside },
      },
    )
  assert.deepEqual(problems(good), [])
  assert.equal(problems({ ...good, integrity: undefined }).length, 2)
})
