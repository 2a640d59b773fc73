// Rules of docs/contributing.md that no compiler and no linter knows.
import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path) => readFileSync(join(root, path), 'utf8')
const crates = readdirSync(join(root, 'crates')).toSorted()

const namesIn = (text) => [...text.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name)

/** What a crate may know by the table: the names of other crates; `undefined` if it may know everything. */
function allowedTo(crate) {
  const row = read('docs/contributing.md')
    .split('\n')
    .find((line) => line.startsWith(`| \`crates/${crate}\` |`))
  assert(row !== undefined, `docs/contributing.md does not say what crates/${crate} may know`)
  const [, , mayKnow] = row.split('|')
  if (mayKnow.trim() === 'everything') return undefined
  if (mayKnow.trim() !== 'all of these') return namesIn(mayKnow)
  // Those of the rows above.
  const table = read('docs/contributing.md')
  return [...table.slice(0, table.indexOf(row)).matchAll(/^\| `crates\/([a-z-]+)` /gm)].map(
    ([, name]) => name,
  )
}

test('a crate knows no others than those of the table', () => {
  for (const crate of crates) {
    const allowed = allowedTo(crate)
    const sections = read(`crates/${crate}/Cargo.toml`).split(/^\[/m)
    const dependencies = sections.find((section) => section.startsWith('dependencies]')) ?? ''
    const known = [...dependencies.matchAll(/^cabinet-([a-z-]+)/gm)].map(([, name]) => name)
    const others = known.filter((name) => allowed !== undefined && !allowed.includes(name))
    assert.deepEqual(others, [], `crates/${crate} knows ${others.join(', ')}`)
  }
})

/** The files of a crate without its tests. */
const productOf = (crate) =>
  readdirSync(join(root, 'crates', crate, 'src'), { recursive: true })
    .filter((name) => name.endsWith('.rs') && !/(?:^|\/)(?:tests|testing)(?:\/|\.rs$)/.test(name))
    .map((name) => `crates/${crate}/src/${name}`)

/** What stands in the product's files for tests alone. Nothing is added: it belongs into a module of tests or into `testing.rs`. */
const FOR_TESTS = [
  'crates/api/src/settings.rs: impl ApiSettings',
  'crates/server/src/settings/mod.rs: use self::reading',
  'crates/server/src/settings/reading.rs: fn from_pairs',
  'crates/server/src/settings/reading.rs: fn reading_of',
  'crates/storage/src/engine/migrations.rs: fn run_again',
  'crates/storage/src/engine/migrations.rs: fn schema_fingerprint',
  'crates/storage/src/engine/migrations/fit.rs: fn schema_version',
  'crates/storage/src/engine/migrations/run.rs: fn migrate_up_to',
  'crates/storage/src/operator/invariants/mod.rs: fn check',
  'crates/storage/src/order/order_list/found.rs: fn newest_without_index',
]

test('no code of the product is for tests alone', () => {
  const files = crates.flatMap(productOf)
  const item = /#\[cfg\((?:any\()?test\b[^\n]*\]\n(?:\s*#\[[^\n]*\n)*\s*([^\n]*)/g
  const found = files.flatMap((file) =>
    [...read(file).matchAll(item)]
      .map(
        ([, line]) => /\b(?:mod|extern crate|fn|impl|use|struct|enum|const|static) [\w:]*\w/.exec(line)?.[0],
      )
      .filter((name) => name !== undefined && !/^(?:mod|extern crate) /.test(name))
      .map((name) => `${file}: ${name}`),
  )
  assert.deepEqual(found.toSorted(), FOR_TESTS)
})

/**
 * Where rows are locked by looking them up. Nothing is added: a lock is taken by its guard, in `locks.rs`. Those of `account` tell who the
 * notary is, whose lock comes after, or stand under it; the others are claims of workers, which one statement finds, locks and postpones.
 */
const LOCKED_BY_READING = [
  'account/login_operations.rs',
  'account/passkeys.rs',
  'account/sessions.rs',
  'payment/attempts.rs',
  'payment/refunds.rs',
  'worker/outbox.rs',
]

/** The files of the storage whose text has a pattern. */
const storing = (pattern) =>
  productOf('storage')
    .filter((file) => pattern.test(read(file)))
    .map((file) => file.replace('crates/storage/src/', ''))
    .toSorted()

test('notaries, orders and transfers are locked by guards alone, and no row by a statement of its own', () => {
  assert.deepEqual(storing(/\bfor (?:no key )?update\b|\bfor (?:key )?share\b/i), ['engine/tx.rs'])
  assert.deepEqual(storing(/\.row_lock(?:_of|_with)?\(/), ['locks.rs'])
  assert.deepEqual(storing(/\.(?:skip_locked|lock)_clause\(/), LOCKED_BY_READING)
})
