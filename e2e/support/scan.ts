import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Cabinet } from './cabinet.ts'
import { leaksIn, type Secrets } from './leaks.ts'
import { CARDS } from './sandbox.ts'

/** What the browser sent in the tests of a cabinet. */
export interface Traffic {
  /** Addresses of requests and of pages, without their origin. */
  readonly addresses: Set<string>
  /** Access tokens and values of cookies. */
  readonly tokens: Set<string>
}

/** Tables that name nobody, by docs/data-retention.md. */
const NAMELESS = [
  'attempts',
  'audit_events',
  'audit_starts',
  'cart_additions',
  'counters',
  'devices',
  'key_ids',
  'leases',
  'order_events',
  'refresh_tokens',
  'refused_entries',
  'sessions',
  'statement_days',
  'used_tickets',
] as const

type Row = Record<string, unknown>

function rows(database: DatabaseSync, sql: string): Row[] {
  try {
    return database.prepare(sql).all() as Row[]
  } catch {
    // A test damaged this table on purpose.
    return []
  }
}

function texts(found: Row[], ...columns: string[]): string[] {
  const values = found.flatMap((row) => columns.map((column) => row[column]))
  return [
    ...new Set(values.filter((value): value is string => typeof value === 'string' && value.length >= 6)),
  ]
}

/** Everybody whom the database knows, and the tokens that were in use. */
function secretsOf(database: DatabaseSync, traffic: Traffic): Secrets {
  const notaries = rows(database, 'select * from notaries')
  const clients = rows(database, 'select * from clients')
  return {
    names: [...texts(notaries, 'full_name'), ...texts(clients, 'full_name')],
    numbers: [...texts(notaries, 'phone', 'inn', 'phone_additional'), ...texts(clients, 'inn')],
    texts: [...texts(notaries, 'registry_identifier', 'email'), ...traffic.tokens],
    cards: Object.values(CARDS),
  }
}

/** Returns a text that names no place where it may: each line once, without the parts that differ in every line. */
function linesOf(text: string): string {
  return [...new Set(text.split('\n').map((line) => line.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/gu, '')))].join(
    '\n',
  )
}

/** Names and labels of metrics. A measured value has the digits of anything. */
function labelsOf(metrics: string): string {
  return metrics.replaceAll(/ \S+$/gmu, '')
}

/** What only a running cabinet and its sandbox tell. */
export interface Told {
  readonly metrics: string
  /** The letters that arrived. They name no client. */
  readonly letters: string
}

/** Asks a running cabinet. */
export async function ask(cabinet: Cabinet): Promise<Told> {
  const letters = await cabinet.sandbox.letters().catch(() => '')
  return { metrics: await cabinet.metrics(), letters }
}

/**
 * Searches everything that a cabinet leaves behind, while its data folder is still there. Returns what stands where it must not.
 * `told` is what it said in its last moment.
 */
export function scan(cabinet: Cabinet, traffic: Traffic, { metrics, letters }: Told): string[] {
  const logs = cabinet.logs
    .filter((file) => existsSync(file))
    .map((log) => linesOf(readFileSync(log, 'utf8')))
  // Two processes differ from one in behaviour, not in what they store: their data are not searched again.
  if (!cabinet.database.startsWith('sqlite:')) {
    const tokens: Secrets = {
      names: [],
      numbers: [],
      texts: [...traffic.tokens],
      cards: Object.values(CARDS),
    }
    return [...logs, labelsOf(metrics)].flatMap((text) => leaksIn(text, tokens))
  }
  const database = new DatabaseSync(join(cabinet.dataFolder, 'cabinet.sqlite'), { readOnly: true })
  try {
    const secrets = secretsOf(database, traffic)
    const found: string[] = []
    const search = (place: string, text: string, wanted: Secrets = secrets): void => {
      found.push(...leaksIn(text, wanted).map((leak) => `${place}: ${leak}`))
    }
    for (const log of logs) search('log', log)
    search('metrics', labelsOf(metrics))
    const clients = rows(database, 'select * from clients')
    const ofClients = { names: texts(clients, 'full_name'), numbers: texts(clients, 'inn'), texts: [] }
    search('letters', letters, { ...ofClients, cards: 'any' })
    search('addresses', [...traffic.addresses].join('\n'), { ...secrets, cards: 'any' })
    for (const table of NAMELESS) {
      const content = rows(database, `select * from ${table}`).map((row) =>
        Object.values(row)
          .filter((value) => typeof value === 'string')
          .join('\n'),
      )
      search(`table ${table}`, content.join('\n'))
    }
    // The files of the database may hold names where a table does, but no token, and no card in any table or deleted row.
    const tokens: Secrets = { ...secrets, names: [], numbers: [], texts: [...traffic.tokens] }
    for (const file of readdirSync(cabinet.dataFolder).filter((name) => name.startsWith('cabinet.sqlite'))) {
      const bytes = readFileSync(join(cabinet.dataFolder, file)).toString('latin1')
      found.push(
        ...[...tokens.texts].filter((token) => bytes.includes(token)).map(() => `file ${file}: a token`),
      )
    }
    for (const { name } of rows(database, "select name from sqlite_schema where type = 'table'")) {
      const content = rows(database, `select * from ${String(name)}`).map((row) =>
        Object.values(row)
          .filter((value) => typeof value === 'string')
          .join('\n'),
      )
      search(`table ${String(name)}`, content.join('\n\n'), tokens)
    }
    return [...new Set(found)]
  } finally {
    database.close()
  }
}
