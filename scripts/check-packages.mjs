// Checks the npm packages of one folder, from its package.json and package-lock.json alone: exact versions, the registry as the
// only source, a checksum for each package, licences and install scripts. docs/decisions/20-dependencies.md is the policy.
//
//   node scripts/check-packages.mjs FOLDER...

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

const REGISTRY = 'https://registry.npmjs.org/'

/** Licences of packages that are part of the pages. */
const OF_PAGES = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'OFL-1.1',
  'Unlicense',
])

/** Licences of tools besides those. Nobody gets a copy of the tools from us. */
const OF_TOOLS = new Set(['BlueOak-1.0.0', 'CC-BY-4.0', 'CC0-1.0', 'MPL-2.0', 'Python-2.0'])

/**
 * Whether an SPDX expression allows the use: one licence, or several with OR, AND and brackets. Anything else is refused.
 *
 * @param {unknown} expression
 * @param {(licence: string) => boolean} isAllowed
 */
export function allows(expression, isAllowed) {
  if (typeof expression !== 'string') return false
  const words = expression.match(/[()]|[^\s()]+/g) ?? []
  let at = 0
  const one = () => {
    const word = words[at++]
    if (word !== '(') return word !== undefined && /^[A-Za-z0-9.+-]+$/.test(word) && isAllowed(word)
    const inner = either()
    return words[at++] === ')' && inner
  }
  const all = () => {
    let result = one()
    while (words[at] === 'AND') {
      at++
      result = one() && result
    }
    return result
  }
  const either = () => {
    let result = all()
    while (words[at] === 'OR') {
      at++
      result = all() || result
    }
    return result
  }
  const result = either()
  return result && at === words.length
}

/** Whether a version in package.json is exact, also behind another name (`npm:typescript@7.0.2`). */
const isExact = (version) => /^(npm:(@[\w.-]+\/)?[\w.-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)

/**
 * Whether the content of a package is held by a checksum. A package that travels inside the archive of another has none of its own:
 * the checksum of that archive covers it.
 */
function isChecked(path, packages) {
  const locked = packages[path]
  if (locked?.inBundle) return isChecked(path.slice(0, path.lastIndexOf('/node_modules/')), packages)
  return /^sha512-[A-Za-z0-9+/]{86}==$/.test(locked?.integrity ?? '')
}

/** Why a package of the lock file is refused; empty if it is not. */
function problemsOf(path, packages, allowScripts) {
  const locked = packages[path]
  const name = locked.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const problems = []
  if (locked.link) return ['is a link to a folder']
  if (locked.resolved !== undefined && !locked.resolved.startsWith(REGISTRY))
    problems.push('does not come from the registry')
  if (!isChecked(path, packages)) problems.push('has no SHA-512 checksum')
  const isTool = locked.dev || locked.devOptional
  const isAllowed = (licence) => OF_PAGES.has(licence) || (isTool && OF_TOOLS.has(licence))
  if (!allows(locked.license, isAllowed)) problems.push(`has the licence ${locked.license ?? 'of nobody'}`)
  if (locked.hasInstallScript && typeof allowScripts[name] !== 'boolean')
    problems.push('has an install script and is not named under "allowScripts" in package.json')
  return problems
}

/** All problems of a package.json and its lock file, one a line. */
export function check(manifest, lock) {
  const found = []
  for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })) {
    if (!isExact(version)) found.push(`${name} has the version ${version}, which is not an exact one`)
  }
  if (lock.lockfileVersion !== 3) found.push('package-lock.json is not of version 3')
  const allowScripts = manifest.allowScripts ?? {}
  for (const path of Object.keys(lock.packages)) {
    if (path === '') continue
    for (const problem of problemsOf(path, lock.packages, allowScripts)) found.push(`${path} ${problem}`)
  }
  const installed = new Set(
    Object.entries(lock.packages)
      .filter(([, locked]) => locked.hasInstallScript)
      .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)),
  )
  for (const name of Object.keys(allowScripts)) {
    if (!installed.has(name)) found.push(`"allowScripts" names ${name}, which has no install script`)
  }
  return found
}

function main(folders) {
  for (const folder of folders) {
    const read = (file) => JSON.parse(readFileSync(join(folder, file), 'utf8'))
    const lock = read('package-lock.json')
    const found = check(read('package.json'), lock)
    for (const problem of found) console.error(`${folder}: ${problem}`)
    if (found.length > 0) process.exitCode = 1
    else
      console.log(
        `${folder}: ${Object.keys(lock.packages).length - 1} packages, all as the policy wants them`,
      )
  }
}

if (process.argv[1] === import.meta.filename) main(process.argv.slice(2))
