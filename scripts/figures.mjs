// Prints figures about the source: files and lines by folder, long functions, large files, public items of each crate,
// files that import each other in a circle, and what lies in no folder of a subject. Usage: scripts/figures [--check] [CHECKOUT]
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'

const isCheck = process.argv.includes('--check')
const root = process.argv.slice(2).find((argument) => !argument.startsWith('--')) ?? '.'
const functionLimit = 60
/** So many functions are longer. Divide one and lower this; a new one is divided at once. */
const longFunctionsMax = 74
const fileLimit = 400
const rootLimit = 8
/** The layers that have the folders of the subjects, with the folders that only they have. */
const layers = {
  'crates/domain/src': [],
  'crates/storage/src': ['engine', 'tests'],
  'crates/app/src': ['sandbox_data'],
  'crates/api/src': ['calls', 'http', 'pages', 'realtime', 'tokens', 'wire'],
  'crates/api/src/calls': [],
}
const skipped = new Set(['node_modules', 'dist', 'target', 'results', 'locales', 'var'])

/** Paths of all files under a folder with one of the extensions, relative to the checkout. */
function filesUnder(folder, extensions) {
  const absolute = join(root, folder)
  if (!existsSync(absolute)) return []
  return readdirSync(absolute, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : filesUnder(path, extensions)
    return extensions.some((extension) => entry.name.endsWith(extension)) ? [path] : []
  })
}

const texts = new Map()
function linesOf(path) {
  if (!texts.has(path)) texts.set(path, readFileSync(join(root, path), 'utf8').split('\n'))
  return texts.get(path)
}

const isGenerated = (path) => path.endsWith('schema.d.ts')
const isTest = (path) =>
  /(^|\/)(tests|testing|benches|examples)(\/|\.rs$)|\.test\.tsx?$|\.spec\.ts$/u.test(path)

const rust = filesUnder('crates', ['.rs'])
const script = ['web/src', 'web/build', 'web/scripts', 'e2e', 'scripts', 'tools'].flatMap((folder) =>
  filesUnder(folder, ['.ts', '.tsx', '.mjs']),
)
const sources = [...rust, ...script].filter((path) => !isGenerated(path))

/** The crate, the tool, or the folder of the pages, that a file belongs to. */
function groupOf(path) {
  const parts = path.split('/')
  if (parts[0] === 'crates' || parts[0] === 'tools') return parts.slice(0, 2).join('/')
  if (path.startsWith('web/src/features/')) return parts.slice(0, 4).join('/')
  return parts.slice(0, parts[0] === 'web' && parts[1] === 'src' ? 3 : parts[0] === 'web' ? 2 : 1).join('/')
}

/** The first line, the last line and the name of each function of a formatted file. */
function functionsOf(path) {
  const lines = linesOf(path)
  const start = path.endsWith('.rs')
    ? /^(\s*)(?:pub(?:\([a-z]+\))? )?(?:default )?(?:const )?(?:async )?(?:unsafe )?fn (\w+)/u
    : /^(\s*)(?:export )?(?:default )?(?:async )?function\*? (\w+)/u
  return lines.flatMap((line, index) => {
    const match = start.exec(line)
    if (match === null) return []
    const end = lines.findIndex(
      (later, at) => at > index && later.startsWith(`${match[1]}}`) && later.trim() === '}',
    )
    return end === -1 ? [] : [{ path, name: match[2], line: index + 1, length: end - index + 1 }]
  })
}

/** The file of a Rust module path such as `crate::payments::settle`, and the rest of the path behind it. */
function rustModule(crateFolder, segments) {
  for (let length = segments.length; length >= 0; length -= 1) {
    const stem = join(crateFolder, 'src', ...segments.slice(0, length))
    const candidates = length === 0 ? [`${stem}/lib.rs`, `${stem}/main.rs`] : [`${stem}.rs`, `${stem}/mod.rs`]
    const file = candidates.find((path) => rust.includes(path))
    if (file !== undefined) return { file, rest: segments.slice(length) }
  }
  return undefined
}

/** The module path of a Rust file within its crate. */
function segmentsOf(path) {
  const parts = path.replace(/\.rs$/u, '').split('/').slice(3)
  if (['lib', 'main', 'mod'].includes(parts.at(-1))) parts.pop()
  return parts
}

/** All paths of `use` declarations, with groups in braces written out. */
function usePaths(path) {
  const body = linesOf(path)
    .join('\n')
    .split(/\n#\[cfg\(test\)\]\nmod tests \{/u)[0]
  const expand = (text) => {
    const brace = text.indexOf('{')
    if (brace === -1) return [text.trim()]
    const head = text.slice(0, brace)
    let depth = 0
    const items = ['']
    for (const sign of text.slice(brace + 1, text.lastIndexOf('}'))) {
      if (sign === '{') depth += 1
      if (sign === '}') depth -= 1
      if (sign === ',' && depth === 0) items.push('')
      else items[items.length - 1] += sign
    }
    return items.filter((item) => item.trim() !== '').flatMap((item) => expand(head + item.trim()))
  }
  return [...body.matchAll(/^\s*(pub(?:\([a-z]+\))? )?use ([^;]+);/gmu)].flatMap(([, visibility, text]) =>
    expand(text.replaceAll(/\s+/gu, ' ')).map((name) => ({
      isReexport: visibility !== undefined,
      segments: name
        .replace(/ as \w+$/u, '')
        .split('::')
        .map((segment) => segment.trim()),
    })),
  )
}

function resolveRust(path, segments) {
  const crateFolder = path.split('/').slice(0, 2).join('/')
  let own = segmentsOf(path)
  let rest = segments
  if (rest[0] === 'crate') [own, rest] = [[], rest.slice(1)]
  else if (rest[0] === 'self') rest = rest.slice(1)
  else if (rest[0] === 'super') {
    while (rest[0] === 'super') [own, rest] = [own.slice(0, -1), rest.slice(1)]
  } else if (rustModule(crateFolder, [...own, rest[0]])?.rest.length !== 0) return undefined
  const found = rustModule(crateFolder, [...own, ...rest])
  if (found === undefined || found.rest.length === 0) return found?.file
  // A re-exported name belongs to the file that defines it.
  const handedOn = usePaths(found.file).find(
    (use) =>
      use.isReexport && use.segments.at(-1) === found.rest[0] && use.segments.join() !== segments.join(),
  )
  return (handedOn && resolveRust(found.file, handedOn.segments)) ?? found.file
}

function importsOfScript(path) {
  const text = linesOf(path).join('\n')
  return [...text.matchAll(/(?:from|import\() ?'([^']+)'/gu)].flatMap(([, name]) => {
    const base = name.startsWith('@/')
      ? join('web/src', name.slice(2))
      : name.startsWith('.')
        ? join(dirname(path), name)
        : undefined
    if (base === undefined) return []
    const file = [base, `${base}.ts`, `${base}.tsx`].find((candidate) => script.includes(candidate))
    return file === undefined ? [] : [file]
  })
}

function importsOf(path) {
  if (!path.endsWith('.rs')) return importsOfScript(path)
  return usePaths(path)
    .filter((use) => !use.isReexport)
    .flatMap((use) => resolveRust(path, use.segments) ?? [])
    .filter((file) => file !== path)
}

/** Groups of files that import each other in a circle (Tarjan's strongly connected components). */
function circles(paths) {
  const index = new Map()
  const low = new Map()
  const stack = []
  const found = []
  const visit = (path) => {
    index.set(path, index.size)
    low.set(path, index.get(path))
    stack.push(path)
    for (const next of importsOf(path)) {
      if (!index.has(next)) visit(next)
      if (stack.includes(next)) low.set(path, Math.min(low.get(path), low.get(next)))
    }
    if (low.get(path) !== index.get(path)) return
    const circle = stack.splice(stack.indexOf(path))
    if (circle.length > 1) found.push(circle.toSorted())
  }
  for (const path of paths) if (!index.has(path)) visit(path)
  return found
}

/** What lies in a layer beside the folders of the subjects, which docs/wording.md lists: other folders, and too many files. */
function misplaced() {
  const listed = linesOf('docs/wording.md').flatMap((line) => /^\| `([a-z_]+)` \|/u.exec(line)?.[1] ?? [])
  return Object.entries(layers).flatMap(([layer, own]) => {
    const inside = rust
      .filter((path) => path.startsWith(`${layer}/`))
      .map((path) => path.slice(layer.length + 1).split('/'))
    const folders = new Set(inside.filter(({ length }) => length > 1).map(([name]) => name))
    const others = [...folders]
      .filter((name) => ![...listed, ...own].includes(name))
      .map((name) => `${layer}/${name} is no folder of docs/wording.md`)
    const files = inside.filter(({ length }) => length === 1).length
    return others.concat(files > rootLimit ? [`${layer} has ${files} files beside its folders`] : [])
  })
}

const publicItem = /^\s*pub (?:const |async |unsafe )*(?:fn|struct|enum|trait|type|const|static|mod|use) /u
const product = sources.filter((path) => !isTest(path))

function printFolders() {
  console.log('Folder                                    files   lines   of them tests   public items')
  const groups = Map.groupBy(sources, groupOf)
  for (const [group, paths] of [...groups].toSorted(([one], [other]) => one.localeCompare(other))) {
    const count = (some) => some.reduce((total, path) => total + linesOf(path).length - 1, 0)
    const items = paths
      .filter((path) => path.endsWith('.rs') && !isTest(path))
      .flatMap((path) => linesOf(path).filter((line) => publicItem.test(line))).length
    console.log(
      group.padEnd(40),
      String(paths.length).padStart(6),
      String(count(paths)).padStart(7),
      String(count(paths.filter(isTest))).padStart(15),
      String(group.startsWith('crates') ? items : '').padStart(14),
    )
  }
}

function longFunctions() {
  return product
    .flatMap(functionsOf)
    .filter(({ length }) => length > functionLimit)
    .toSorted((one, other) => other.length - one.length)
}

function printLongFunctions() {
  const long = longFunctions()
  console.log(`\nFunctions over ${functionLimit} lines, without tests: ${long.length}`)
  for (const { path, name, line, length } of long) console.log(`  ${length}  ${name}  ${path}:${line}`)
}

function printLargeFiles() {
  const large = product.filter((path) => linesOf(path).length - 1 > fileLimit)
  console.log(`\nFiles over ${fileLimit} lines, without tests: ${large.length}`)
  for (const path of large) console.log(`  ${linesOf(path).length - 1}  ${path}`)
}

if (!isCheck) {
  printFolders()
  printLongFunctions()
  printLargeFiles()
  console.log('')
}
const found = circles(product)
console.log(`Files that import each other in a circle: ${found.flat().length}`)
for (const circle of found) console.log(`  ${circle.join(', ')}`)
if (isCheck) {
  const others = misplaced()
  console.log(`What lies in no folder of a subject: ${others.length}`)
  for (const other of others) console.log(`  ${other}`)
  const long = longFunctions().length
  console.log(`Functions over ${functionLimit} lines, without tests: ${long}, at most ${longFunctionsMax}`)
  if (long > longFunctionsMax) printLongFunctions()
  if (found.length + others.length > 0 || long > longFunctionsMax) process.exit(1)
}
