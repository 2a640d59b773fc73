// Explains every statement of the product on both databases with filled tables, and refuses those that read a table that grows from end to
// end. Usage: scripts/statements [--record LOG]
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { wholeInPostgres, wholeInSqlite } from './plans.mjs'
import { plansOfPostgres } from './postgres.mjs'
import { beginningsOf, composedIn } from './record.mjs'
import { SCANS, SMALL } from './scans.mjs'
import { isSql, isWhole, piecesOf, productStrings, withoutEscapes } from './source.mjs'
import { plansOfSqlite } from './sqlite.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const list = join(root, 'tools/statements/composed.sql')
const strings = productStrings(root)

/** Adds the statements that the log of a server has to the list of those that the program puts together while it runs. */
function record(log) {
  const known = readFileSync(list, 'utf8')
  const composed = composedIn(`${known}${readFileSync(log, 'utf8')}`, strings)
  writeFileSync(list, composed.map((sql) => `${sql}\n`).join(''))
}

/** The strings of the source that stand in no statement, and statements that begin as no string of the source does any more. */
function unseen(statements, composed) {
  const seen = statements.join('\n')
  const parts = strings.filter(isSql).flatMap(({ place, text }) =>
    piecesOf(text)
      .filter((piece) => !seen.includes(piece))
      .map((piece) => `${place} is in no statement of tools/statements/composed.sql: ${piece}`),
  )
  const isOurs = beginningsOf(strings)
  const stale = composed.filter((sql) => !isOurs(sql))
  return [
    ...parts,
    ...stale.map((sql) => `tools/statements/composed.sql has what the source has not: ${sql}`),
  ]
}

/** What is read from end to end without a reason, and reasons for nothing. */
function refused(statements, sqlite, postgres) {
  const used = new Set()
  const found = statements.flatMap((sql, index) => {
    const [one, other] = [sqlite.plans[index], postgres.plans[index]]
    if (one.error !== undefined && other.error !== undefined) {
      const isBeginning = statements.some((longer) => longer !== sql && longer.startsWith(sql))
      return isBeginning ? [] : [`neither database takes it (${one.error}): ${sql}`]
    }
    const inSqlite = one.error === undefined ? wholeInSqlite(one, sqlite, sql) : []
    const inPostgres = other.error === undefined ? wholeInPostgres(other, postgres) : []
    const read = [...new Set([...inSqlite, ...inPostgres])].filter((table) => !Object.hasOwn(SMALL, table))
    const reason = Object.keys(SCANS).find((part) => sql.includes(part))
    if (read.length > 0 && reason !== undefined) used.add(reason)
    return read.length === 0 || reason !== undefined
      ? []
      : [`${read.join(' and ')} read from end to end (${readBy(inSqlite, inPostgres)}): ${sql}`]
  })
  const needless = Object.keys(SCANS).filter((part) => !used.has(part))
  const unknown = Object.keys(SMALL).filter((table) => !sqlite.tables.includes(table))
  return [
    ...found,
    ...needless.map(
      (part) => `tools/statements/scans.mjs allows what reads nothing from end to end: ${part}`,
    ),
    ...unknown.map((table) => `tools/statements/scans.mjs names ${table}, which is no table`),
  ]
}

function readBy(inSqlite, inPostgres) {
  if (inPostgres.length === 0) return 'SQLite'
  return inSqlite.length === 0 ? 'PostgreSQL' : 'SQLite, PostgreSQL'
}

const option = process.argv.indexOf('--record')
if (option !== -1) record(process.argv[option + 1])
const composed = readFileSync(list, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
const whole = strings.filter(isWhole).map(({ text }) => withoutEscapes(text.trim()))
const statements = [...new Set([...whole, ...composed])]
const sqlite = plansOfSqlite(root, statements)
const postgres = plansOfPostgres(root, statements)
const faults = [...unseen(statements, composed), ...refused(statements, sqlite, postgres)]
const explained = ({ plans }) => plans.filter(({ error }) => error === undefined).length
console.log(
  `${statements.length} statements: SQLite explains ${explained(sqlite)} of them, PostgreSQL ${explained(postgres)}`,
)
for (const fault of faults) console.log(`  ${fault}`)
if (faults.length > 0) process.exit(1)
