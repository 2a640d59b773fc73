import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { dependentsOf, select } from './changed.mjs'

const SUITES = [
  ...readFileSync(new URL('test', import.meta.url), 'utf8').matchAll(/^suite ([a-z-]+) /gm),
].map(([, name]) => name)

const crate = (name, needs) => ({
  name: `cabinet-${name}`,
  manifest_path: `/a/crates/${name}/Cargo.toml`,
  dependencies: needs.map((needed) => ({ name: needed })),
})
const DEPENDENTS = dependentsOf({
  packages: [
    crate('domain', ['serde']),
    crate('storage', ['cabinet-domain']),
    crate('api', ['cabinet-domain', 'cabinet-test-kit']),
    crate('server', ['cabinet-api', 'cabinet-storage']),
    crate('test-kit', ['cabinet-api', 'cabinet-storage']),
    crate('fuzz-targets', ['cabinet-domain']),
  ],
})

const NAMED = { 'docs/a.md': ['crates/storage/src/tests/a.rs', 'e2e/specs/a.spec.ts'] }
const chosen = (...files) => select(files, 'base', SUITES, DEPENDENTS, (file) => NAMED[file] ?? [])
const packages = (suites) =>
  suites
    .get('rust-tests')
    ?.at(-1)
    ?.match(/(?<=cabinet-)[a-z-]+/g)

test('who needs a crate, through other crates and through tests', () => {
  assert.deepEqual(DEPENDENTS.get('storage'), ['api', 'server', 'test-kit'])
  assert.deepEqual(DEPENDENTS.get('fuzz-targets'), [])
})

test('a crate breaks what depends on it, and the program', () => {
  const suites = chosen('crates/storage/src/order/orders.rs')
  assert.deepEqual(packages(suites), ['api', 'server', 'storage', 'test-kit'])
  for (const suite of ['rust-lints', 'statements', 'generated-files', 'browser-tests', 'commands'])
    assert.deepEqual(suites.get(suite), [])
  assert.equal(suites.has('web-tests'), false)
})

test('a test of a crate breaks that crate alone', () => {
  const suites = chosen('crates/storage/tests/it/orders.rs')
  assert.deepEqual(packages(suites), ['storage'])
  assert.equal(suites.has('browser-tests'), false)
})

test('what the program does not have changes no browser test', () => {
  const suites = chosen('crates/fuzz-targets/src/lib.rs')
  assert.deepEqual(packages(suites), ['fuzz-targets'])
  assert.equal(suites.has('browser-tests'), false)
})

test('a page breaks the page tests that import it, all browser tests and the program that has it', () => {
  const suites = chosen('web/src/features/archive/archive-page.tsx')
  assert.deepEqual(suites.get('web-tests'), ['--changed', 'base'])
  assert.deepEqual(suites.get('browser-tests'), [])
  assert.deepEqual(packages(suites), ['server'])
})

test('a page test breaks itself', () => {
  const suites = chosen('web/src/features/archive/archive-page.test.tsx')
  assert.deepEqual(suites.get('web-tests'), ['--changed', 'base'])
  assert.equal(suites.has('browser-tests'), false)
  assert.equal(suites.has('rust-tests'), false)
})

test('what no import graph has runs the whole suite', () => {
  assert.deepEqual(chosen('web/src/locales/uk/archive.po', 'web/src/a.tsx').get('web-tests'), [])
  assert.deepEqual(chosen('e2e/playwright.config.ts', 'e2e/specs/a.spec.ts').get('browser-tests'), [])
  assert.deepEqual(chosen('testdata/iban.json').get('rust-tests'), [])
})

test('a browser test breaks itself', () => {
  const suites = chosen('e2e/specs/paying.spec.ts')
  assert.deepEqual(suites.get('browser-tests'), ['--only-changed=base'])
  assert.equal(suites.has('rust-tests'), false)
})

test('what the tools share breaks the browser tests that import it', () => {
  const suites = chosen('tools/lib/notary.mjs')
  assert.deepEqual(suites.get('browser-tests'), ['--only-changed=base'])
  assert.deepEqual(suites.get('fuzz-preparation'), [])
  assert.equal(chosen('tools/drills/postgres.mjs').has('browser-tests'), false)
})

test('a document breaks what names it', () => {
  assert.deepEqual(packages(chosen('docs/a.md')), ['storage'])
  assert.deepEqual(chosen('docs/a.md').get('browser-tests'), [])
  assert.deepEqual([...chosen('docs/b.md').keys()].toSorted(), ['generated-files', 'tools-tests'])
  assert.equal(chosen().size, 0)
})

test('an unknown file, an unknown crate and what all share run everything', () => {
  for (const file of [
    'something.new',
    'crates/new/src/lib.rs',
    'Cargo.lock',
    '.cargo/config.toml',
    'scripts/lib.sh',
  ])
    assert.equal(chosen('docs/b.md', file).size, SUITES.length, file)
})

test('every suite can be chosen by some file', () => {
  const files = ['crates/storage/src/lib.rs', 'web/index.html', 'e2e/package.json', 'scripts/run']
  assert.deepEqual([...chosen(...files).keys()], SUITES)
})
