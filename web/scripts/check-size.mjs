// Fails when a page carries too much script: what is loaded before the first page stands, and each later part.
import { readFile, rm, stat } from 'node:fs/promises'
import { basename } from 'node:path'

/** Kilobytes of 1000 bytes, as sent: compressed by gzip. */
const firstPageLimit = 125
const partLimit = 40

const dist = new URL('../dist/', import.meta.url)
const manifest = JSON.parse(await readFile(new URL('.vite/manifest.json', dist), 'utf8'))
// Only this check reads it; what stays in the folder is served.
await rm(new URL('.vite', dist), { recursive: true })

/** The script of an entry with everything that it imports at once. */
function withImports(key, seen = new Set()) {
  const chunk = manifest[key]
  if (seen.has(chunk.file)) return seen
  seen.add(chunk.file)
  for (const imported of chunk.imports ?? []) withImports(imported, seen)
  return seen
}

async function kilobytes(file) {
  return (await stat(new URL(`${file}.gz`, dist))).size / 1000
}

async function sum(files) {
  const sizes = await Promise.all([...files].map(kilobytes))
  return sizes.reduce((total, size) => total + size, 0)
}

const start = withImports('index.html')
const firstPage = new Set(start)
for (const key of [
  'src/features/auth/login-page.tsx',
  'src/i18n/locales/uk.po',
  'src/features/auth/locales/uk.po',
]) {
  for (const file of withImports(key)) firstPage.add(file)
}

const problems = []
const first = await sum(firstPage)
console.log(`First page: ${first.toFixed(1)} KB gzip of scripts (at most ${firstPageLimit}).`)
if (first > firstPageLimit) problems.push(`The first page has ${first.toFixed(1)} KB of scripts.`)

const scripts = [...new Set(Object.values(manifest).map(({ file }) => file))].filter((file) =>
  file.endsWith('.js'),
)
const parts = await Promise.all(
  scripts.filter((file) => !firstPage.has(file)).map(async (file) => ({ file, size: await kilobytes(file) })),
)
parts.sort((one, other) => other.size - one.size)
for (const { file, size } of parts.slice(0, 5))
  console.log(`  ${size.toFixed(1).padStart(6)} KB  ${basename(file)}`)
for (const { file, size } of parts) {
  if (size > partLimit) problems.push(`${basename(file)} has ${size.toFixed(1)} KB, at most ${partLimit}.`)
}

if (problems.length > 0) {
  console.error(problems.join('\n'))
  process.exit(1)
}
