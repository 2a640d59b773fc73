/** Every place and every test that `docs/specification.md` and `docs/security.md` name must exist. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../../..')

/** The short names of places, as the beginning of the page explains them. */
const shortNames: readonly (readonly [RegExp, string])[] = [
  [/^e2e\/(.+)$/u, 'e2e/specs/$1.spec.ts'],
  [/^api\/(.+)$/u, 'crates/api/tests/it/$1'],
  [/^storage\/(.+)$/u, 'crates/storage/src/tests/$1.rs'],
  [/^reference\/(.+)$/u, 'crates/reference/src/tests/$1.rs'],
  [/^domain\/(.+)$/u, 'crates/domain/tests/it/$1.rs'],
  [/^receipts$/u, 'crates/receipts/tests/receipts.rs'],
  [/^web\/(?!src\/)(.+)$/u, 'web/src/$1'],
  [/^features\/(.+)$/u, 'web/src/features/$1'],
]

/** The path of a place, or null where the text names no place. */
function pathOf(text: string): string | null {
  const short = shortNames.find(([pattern]) => pattern.test(text))
  if (short !== undefined) return text.replace(...short)
  return /^(?:crates|testdata|web)\//u.test(text) ? text : null
}

/** The text of a file, or of all files of a folder. A Rust module may be a file, a folder or both. */
function sourceOf(path: string): string {
  const absolute = resolve(root, path)
  const files = [absolute, `${absolute}.rs`].filter((file) =>
    statSync(file, { throwIfNoEntry: false })?.isFile(),
  )
  const inside =
    existsSync(absolute) && files[0] !== absolute
      ? readdirSync(absolute, { recursive: true, withFileTypes: true })
      : []
  const more = inside
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => resolve(parentPath, name))
  return [...files, ...more].map((file) => readFileSync(file, 'utf8')).join('\n')
}

const sources = new Map<string, string>()

/** The source of a place with unescaped quotes, and with nothing in its `${}`. Empty where the place does not exist. */
function plainSourceOf(path: string): string {
  const known = sources.get(path)
  if (known !== undefined) return known
  const source = plain(sourceOf(path))
  sources.set(path, source)
  return source
}

const plain = (text: string) => text.replaceAll(/\\(['"])/gu, '$1').replaceAll(/\$\{[^}]*\}/gu, '${}')

/** Whether the source has a test, or a group of tests, of this title. */
const hasTitle = (source: string, title: string) =>
  ["'", '"', '`'].some((quote) =>
    source
      .split(`${quote}${title}${quote}`)
      .slice(0, -1)
      .some((before) => /\(\s*$/u.test(before)),
  )

const hasFunction = (source: string, name: string) => new RegExp(`\\bfn ${name}\\b`, 'u').test(source)

interface Mention {
  readonly place: string | null
  /** The name of a Rust function, the title of a test, or null where only the place is named. */
  readonly test: string | null
  readonly exists: boolean
}

/** What a text names: after each place its Rust functions in backticks and its titles in quotation marks. */
function mentionsIn(text: string): readonly Mention[] {
  let place: string | null = null
  return [...text.matchAll(/`([^`]+)`|"((?:\\.|[^"\\])*)"/gu)].flatMap(([, code, quoted]): Mention[] => {
    const path = code === undefined ? null : pathOf(code)
    if (path !== null) {
      place = path
      return [{ place, test: null, exists: plainSourceOf(path) !== '' }]
    }
    const source = place === null ? '' : plainSourceOf(place)
    if (quoted !== undefined) return [{ place, test: quoted, exists: hasTitle(source, plain(quoted)) }]
    // Anything else in backticks is a command or a value.
    return code !== undefined && /^[a-z0-9_]+$/u.test(code)
      ? [{ place, test: code, exists: hasFunction(source, code) }]
      : []
  })
}

/** The last cells of a page's table rows, and the paragraphs between the tables, from a heading on. */
function textsOf(file: string, heading: string): readonly string[] {
  const page = readFileSync(resolve(root, file), 'utf8')
  return page
    .slice(page.indexOf(heading))
    .split('\n')
    .map((line) => (line.startsWith('| ') ? (line.split(' | ').at(-1) ?? '') : line))
}

it.each([
  // The beginning explains the page itself.
  ['docs/specification.md', '\n## ', 400],
  ['docs/security.md', '\n## Threat model', 80],
])('every place and every test that %s names exists', (file, heading, number) => {
  const mentions = textsOf(file, heading).flatMap(mentionsIn)
  expect(mentions.filter(({ test }) => test !== null).length).toBeGreaterThan(number)
  expect(mentions.filter(({ exists }) => !exists)).toEqual([])
})
