// Says which suites of scripts/test the changes since a revision can break, and with which arguments: the crates by cargo's metadata, page and
// browser tests by the import graphs that their runners know. It is careful: a file that no rule below knows runs everything.
//
//   node scripts/changed.mjs BASE SUITE...
//
// Prints a line for each suite, with tabs between the words: `run SUITE ARGUMENT...` or `leave SUITE REASON`.

import { execFileSync } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import process from 'node:process'

// Tests of the tools read what each crate knows, and its code for tests alone.
const ofRust = ['rust-format', 'rust-lints', 'circles', 'dependencies', 'tools-tests']
const ofPages = ['web-format', 'web-lints', 'web-types', 'web-messages', 'circles']
const ofBrowser = ['browser-format', 'browser-lints', 'browser-types', 'circles']
const ofTools = ['tools-format', 'tools-lints', 'tools-tests', 'circles', 'commands']
const ofProgram = ['generated-files', 'fuzz-preparation', 'commands', 'browser-tests']

/**
 * What a changed file can break; the first row that matches its path counts. `suites` run wholly, `narrow` ones for what imports the file.
 * `crate` was changed itself, so everything that depends on it is tested; of `tested` crates only the own tests can change.
 * `isNamed`: it is read by whatever has its name in its source.
 */
const RULES = [
  [/^crates\/([^/]+)\/(tests|benches)\//, (_, crate) => ({ suites: ofRust, tested: [crate] })],
  // A test of the pages reads these.
  [/^crates\/api\/src\/pages/, () => ({ suites: [...ofRust, 'web-tests'], crate: 'api' })],
  [/^crates\/(storage)\//, (_, crate) => ({ suites: [...ofRust, 'statements'], crate })],
  [/^crates\/([^/]+)\//, (_, crate) => ({ suites: ofRust, crate })],
  [/^web\/src\/.*\.test\.tsx?$/, () => ({ suites: ofPages, narrow: ['web-tests'] })],
  [
    /^web\/src\/.*\.tsx?$/,
    () => ({
      suites: [...ofPages, 'web-build', 'browser-types', 'commands', 'browser-tests'],
      narrow: ['web-tests'],
      tested: ['server'],
    }),
  ],
  [
    /^web\//,
    () => ({
      suites: [
        ...ofPages,
        'web-build',
        'web-tests',
        'dependencies',
        ...ofBrowser,
        'commands',
        'browser-tests',
      ],
      tested: ['server'],
    }),
  ],
  [/^e2e\/(specs|support)\//, () => ({ suites: [...ofBrowser, 'commands'], narrow: ['browser-tests'] })],
  [/^e2e\//, () => ({ suites: [...ofBrowser, 'dependencies', 'commands', 'browser-tests'] })],
  [/^tools\/.*\.md$/, () => ({ suites: ['tools-tests'] })],
  [/^tools\/api-fuzz\//, () => ({ suites: [...ofTools, 'fuzz-preparation'] })],
  [
    /^tools\/lib\//,
    () => ({ suites: [...ofTools, ...ofBrowser, 'fuzz-preparation'], narrow: ['browser-tests'] }),
  ],
  [/^tools\/statements\//, () => ({ suites: [...ofTools, 'statements'] })],
  [/^tools\//, () => ({ suites: [...ofTools, 'dependencies'] })],
  [/^scripts\/check-waits\./, () => ({ suites: [...ofTools, 'web-lints', 'browser-lints'] })],
  [
    /^scripts\/(generate|figures(\.mjs)?|fuzz|check-.*)$/,
    () => ({ suites: [...ofTools, ...ofProgram, 'shell-lints', 'dependencies'] }),
  ],
  [/^scripts\/statements/, () => ({ suites: [...ofTools, 'shell-lints', 'statements'] })],
  [/^scripts\/(lib\.sh|test|changed\..*|with-postgres|tools\.txt)$/, () => ({ isEverything: true })],
  [/^scripts\//, () => ({ suites: [...ofTools, 'shell-lints'] })],
  [/^Makefile$/, () => ({ suites: ['commands'] })],
  [/^\.ci\//, () => ({ suites: ['shell-lints'] })],
  [/^deny\.toml$/, () => ({ suites: ['dependencies'] })],
  [/^fuzz\/corpus\//, () => ({ tested: ['fuzz-targets'] })],
  [/^fuzz\//, () => ({ suites: ['commands'] })],
  [/^testdata\//, () => ({ suites: ['rust-tests', 'web-tests'] })],
  [
    /^deploy\//,
    () => ({
      suites: ['shell-lints', 'tools-tests', 'generated-files', 'commands'],
      tested: ['server'],
      isNamed: true,
    }),
  ],
  [/^docs\/images\//, () => ({})],
  // It lists the folders of the layers.
  [/^docs\/wording\.md$/, () => ({ suites: ['circles', 'tools-tests', 'generated-files'], isNamed: true })],
  // A test of the server compares the commands that these show.
  [
    /^docs\/operate\/[^/]+\.md$/,
    () => ({ suites: ['tools-tests', 'generated-files'], tested: ['server'], isNamed: true }),
  ],
  [/^docs\/.*\.(md|json)$/, () => ({ suites: ['tools-tests', 'generated-files'], isNamed: true })],
  [/^(README|CHANGELOG)\.md$/, () => ({ suites: ['tools-tests'], isNamed: true })],
]

/** @param {string} file */
function effectOf(file) {
  for (const [pattern, effect] of RULES) {
    const match = pattern.exec(file)
    if (match !== null) return effect(...match)
  }
  return { isEverything: true }
}

/**
 * Returns what to run: a map from the suite to the arguments of its runner, none for the whole suite.
 *
 * @param {readonly string[]} files paths of the changed files
 * @param {string} base the revision since which they have changed
 * @param {readonly string[]} suites names of all suites
 * @param {ReadonlyMap<string, readonly string[]>} dependents for each crate, by its folder, the crates that need it, directly or not
 * @param {(file: string) => readonly string[]} namedBy paths of the sources that have the name of a file
 */
export function select(files, base, suites, dependents, namedBy) {
  const whole = new Set()
  const narrow = new Set()
  const tested = new Set()
  for (const file of files) {
    const effect = effectOf(file)
    if (effect.isEverything || (effect.crate !== undefined && !dependents.has(effect.crate)))
      return new Map(suites.map((suite) => [suite, []]))
    for (const suite of effect.suites ?? []) whole.add(suite)
    for (const suite of effect.narrow ?? []) narrow.add(suite)
    for (const crate of effect.tested ?? []) tested.add(crate)
    for (const source of effect.isNamed ? namedBy(file) : []) {
      if (source.startsWith('crates/')) tested.add(source.split('/')[1])
      else
        whole.add(
          source.startsWith('web/')
            ? 'web-tests'
            : source.startsWith('e2e/')
              ? 'browser-tests'
              : 'fuzz-preparation',
        )
    }
    if (effect.crate !== undefined) {
      const needing = [effect.crate, ...dependents.get(effect.crate)]
      for (const crate of needing) tested.add(crate)
      if (needing.includes('server')) for (const suite of ofProgram) whole.add(suite)
    }
  }
  const chosen = new Map()
  for (const suite of suites) {
    if (whole.has(suite)) chosen.set(suite, [])
    else if (suite === 'rust-tests' && tested.size > 0)
      chosen.set(suite, [
        '-E',
        [...tested]
          .toSorted()
          .map((crate) => `package(cabinet-${crate})`)
          .join(' + '),
      ])
    else if (suite === 'web-tests' && narrow.has(suite)) chosen.set(suite, ['--changed', base])
    else if (suite === 'browser-tests' && narrow.has(suite)) chosen.set(suite, [`--only-changed=${base}`])
  }
  const unknown = [...whole].find((suite) => !suites.includes(suite))
  if (unknown !== undefined) throw new Error(`There is no suite of the name ${unknown}.`)
  return chosen
}

/** For each crate of the workspace, by its folder, the crates that need it, directly or not, for themselves or for their tests. */
export function dependentsOf(metadata) {
  const folders = new Map(
    metadata.packages.map(({ name, manifest_path: path }) => [name, path.split('/').at(-2)]),
  )
  const needs = new Map(
    metadata.packages.map(({ name, dependencies }) => [
      folders.get(name),
      dependencies.map((needed) => folders.get(needed.name)).filter((folder) => folder !== undefined),
    ]),
  )
  const reaches = (from, to, seen) =>
    needs.get(from).some((next) => next === to || (!seen.has(next) && reaches(next, to, seen.add(next))))
  return new Map(
    [...needs.keys()].map((crate) => [
      crate,
      [...needs.keys()].filter((other) => other !== crate && reaches(other, crate, new Set())),
    ]),
  )
}

function run(command, ...words) {
  return execFileSync(command, words, { encoding: 'utf8', maxBuffer: 1 << 28 })
}

const linesOf = (text) => text.split('\n').filter((line) => line !== '')

/** The sources that have the name of a file in them. */
function sourcesThatName(file) {
  // `git grep` ends with 1 when it finds nothing.
  const search = 'git grep -lF -e "$1" -- crates web/src e2e tools/api-fuzz || [ $? = 1 ]'
  return linesOf(run('sh', '-c', search, 'sh', file.split('/').at(-1)))
}

function main(base, suites) {
  const start = run('git', 'merge-base', base, 'HEAD').trim()
  const files = linesOf(
    run('git', 'diff', '--name-only', '--no-renames', start) +
      run('git', 'ls-files', '--others', '--exclude-standard'),
  )
  const metadata = JSON.parse(run('cargo', 'metadata', '--no-deps', '--locked', '--format-version=1'))
  const chosen = select(files, start, suites, dependentsOf(metadata), sourcesThatName)
  for (const suite of suites) {
    const words = chosen.has(suite)
      ? ['run', suite, ...chosen.get(suite)]
      : ['leave', suite, `none of the ${files.length} changed files is read by it`]
    process.stdout.write(`${words.join('\t')}\n`)
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  main(process.argv[2], process.argv.slice(3))
