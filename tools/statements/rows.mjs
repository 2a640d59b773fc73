// The schema, and what the rows of its tables have, so that the planners know what grows.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { stringsOf } from './source.mjs'

/** Rows of each table. */
export const ROWS = 3000
/** So many rows of a table that refers to another one refer to the same row. */
const CHILDREN = 3
/** A partial index is for rows that are few: one of so many. */
const FEW = 10
/** Columns with partial indexes for what is empty and for what is not, and empty in most rows. */
const OFTEN_EMPTY = new Set(['parked_at'])

/** The table of the applied migrations, which no migration makes, and the migrations. */
export function migrations(root, database) {
  const runner = readFileSync(join(root, 'crates/storage/src/engine/migrations.rs'), 'utf8')
  const first = stringsOf(runner).find(({ text }) =>
    text.startsWith('create table if not exists schema_migrations'),
  )
  const folder = join(root, 'crates/storage/migrations', database)
  const files = readdirSync(folder).toSorted()
  return [first.text, ...files.map((name) => readFileSync(join(folder, name), 'utf8'))]
}

/** The value of a column in row `n`. `write` gives it for a number, in the words of the database. */
export function valueOf({ name, isRequired, isReference, isUnique, conditions }, write) {
  const value = write(isReference && !isUnique ? `n / ${CHILDREN}` : 'n')
  if (isRequired || isReference) return value
  // What the partial indexes of the table are for is rare.
  const isFor = (state) => new RegExp(`\\b${name} ${state}`, 'i').test(conditions)
  if (isFor('is null') && !OFTEN_EMPTY.has(name)) return `case when n % ${FEW} > 0 then ${value} end`
  return isFor('is not null') ? `case when n % ${FEW} = 0 then ${value} end` : value
}
