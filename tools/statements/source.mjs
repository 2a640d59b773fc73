// Reads the SQL of the product out of its source: every text in crates/storage, with the constants that stand in it.
import { readFileSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'

const FOLDER = 'crates/storage/src'
/** Begins a statement that has a plan. */
export const STATEMENT = /^(?:select|insert into|update|delete from|with) /
/** A part of a statement, which no other text of the crate looks like. */
const PART =
  /\?\d|\bselect\b.*\bfrom\b|\bjoin\b|\border by\b|\blike\b|\bis (?:not )?null\b|\bexists \(|\b[a-z]+\.[a-z_]+ (?:=|<|>|<=|>=|<>|in)(?: |$)| (?:@>|&&) |\bfor (?:no key )?update\b/

/** The text of one string of the source, on one line, and where it stands. */
const flat = (text) =>
  text
    .replaceAll(/\\\n\s*/g, '')
    .replaceAll(/\\(.)/g, '$1')
    .replaceAll(/\s+/g, ' ')

function rustFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.rs'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/\/tests\/|\/tests\.rs$|\/testing\.rs$|\/engine\/migrations/.test(path))
    .toSorted()
}

/**
 * The strings of a Rust text without its comments and tests, each with its line, the number of functions that begin before it, and its name, if it is
 * given one. */
export function stringsOf(text) {
  const [product] = text.split(/\n#\[cfg\(test\)\]\n(?:#\[[^\n]*\n)*mod /)
  const tokens = /\/\/[^\n]*|r(#*)"(.*?)"\1|"((?:\\.|[^"\\])*)"|'(?:\\.[^']*|[^\\'])'/gs
  const named =
    /\b(?:const|static|let) (?:mut )?(\w+)(?:: [^=;]+)? =\s*(?:LazyLock::new\(\|\|\s*)?\{?\s*(?:format!\(\s*)?$/
  return [...product.matchAll(tokens)].flatMap((token) => {
    const content = token[2] ?? (token[3] === undefined ? undefined : flat(token[3]))
    if (content === undefined) return []
    const before = product.slice(0, token.index)
    return [
      {
        line: before.split('\n').length,
        place: before.match(/\bfn \w+/g)?.length ?? 0,
        name: named.exec(before.slice(-300))?.[1],
        text: content.replaceAll(/\s+/g, ' '),
      },
    ]
  })
}

const isConstant = (name) => name === name.toUpperCase()

/** All strings of the product's SQL crate, with the constants of their file, and those that only one file has, written out. */
export function productStrings(root) {
  const files = rustFiles(join(root, FOLDER)).map((path) => ({
    file: relative(root, path),
    strings: stringsOf(readFileSync(path, 'utf8')),
  }))
  const values = new Map()
  const add = (key, value) => values.set(key, new Set([...(values.get(key) ?? []), value]))
  for (const { file, strings } of files)
    for (const { name, text, place } of strings)
      if (name !== undefined)
        for (const key of isConstant(name) ? [name, `${file}:${name}`] : [`${file}:${place}:${name}`])
          add(key, text)
  const only = (key) => (values.get(key)?.size === 1 ? [...values.get(key)][0] : undefined)
  const written = (file, place, text, depth = 0) =>
    text.replaceAll(/(?<!\{)\{(\w+)\}(?!\})/g, (hole, name) => {
      const value = isConstant(name)
        ? (only(`${file}:${name}`) ?? only(name))
        : only(`${file}:${place}:${name}`)
      return value === undefined || depth > 5 ? hole : written(file, place, value, depth + 1)
    })
  return files.flatMap(({ file, strings }) =>
    strings.map(({ line, place, text }) => ({
      place: `${file}:${line}`,
      text: written(file, place, text),
    })),
  )
}

const HOLE = /(?<!\{)\{\w*\}(?!\})/g
/** A string as the program makes it. */
export const withoutEscapes = (text) => text.replaceAll('{{', '{').replaceAll('}}', '}')

/** What stands between the holes of a string, each of which is filled while the program runs. */
export const piecesOf = (text) =>
  text
    .split(HOLE)
    .map((piece) => withoutEscapes(piece).trim())
    .filter((piece) => piece !== '')

/** Whether a string is a whole statement as it stands. */
export const isWhole = ({ text }) => STATEMENT.test(text.trim()) && text.match(HOLE) === null

/** Whether a string is a statement or a part of one. */
export const isSql = ({ text }) =>
  STATEMENT.test(text.trim()) || (PART.test(text) && !text.startsWith('vacuum'))
