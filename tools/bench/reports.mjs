// Measures the reports of a notary with many orders: time, and the peak memory of the process. tools/bench/README.md explains the rows.
//
//   node tools/bench/reports.mjs --binary PATH [--orders 75000] [--postgres ADDRESS]

import { execFileSync, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import { Cabinet, memoryOf } from '../lib/cabinet.mjs'
import { PHONE } from '../lib/notary.mjs'
import { verdict } from './verdict.mjs'

const { values: options } = parseArgs({
  options: {
    binary: { type: 'string' },
    orders: { type: 'string', default: '75000' },
    postgres: { type: 'string' },
  },
})
if (options.binary === undefined) throw new Error('--binary PATH is needed')

/** Limits of a report. */
const SECONDS_MOST = 2
const MEMORY_MOST = 300

let good = true

function row(what, milliseconds, memory, said) {
  const reached = milliseconds <= SECONDS_MOST * 1000 && memory <= MEMORY_MOST
  good &&= reached
  process.stdout.write(
    `${what.padEnd(42)} ${milliseconds.toFixed(0).padStart(6)} ms ${memory.toFixed(0).padStart(5)} MiB  ${(reached ? 'ok' : 'NOT REACHED').padEnd(12)} ${said}\n`,
  )
}

/** The peak resident memory of a process. It begins anew with `reset`. */
const peak = (pid) => memoryOf(pid, 'VmHWM')
const reset = (pid) => writeFileSync(`/proc/${pid}/clear_refs`, '5')

/** Minutes between two orders: 75,000 of them fill a year. */
const MINUTES_APART = 7

/** Runs statements on the database of the cabinet and returns the first value that they return. */
function onDatabase(cabinet, statements) {
  if (options.postgres !== undefined)
    return execFileSync('psql', ['-qtAX', '-v', 'ON_ERROR_STOP=1', cabinet.databaseUrl], {
      encoding: 'utf8',
      input: statements,
    }).trim()
  const file = new DatabaseSync(cabinet.database)
  try {
    const [last, ...before] = statements.split(';\n').toReversed()
    file.exec(before.toReversed().join(';\n'))
    return last.trim() === '' ? undefined : Object.values(file.prepare(last).get())[0]
  } finally {
    file.close()
  }
}

/** Returns the columns of a table, comma-separated, with some of them replaced. */
function columns(cabinet, table, changed) {
  const sql =
    options.postgres === undefined
      ? `select group_concat(name, ',') from pragma_table_info('${table}')`
      : `select string_agg(column_name, ',' order by ordinal_position) from information_schema.columns where table_name = '${table}' and table_schema = 'public'`
  const names = onDatabase(cabinet, sql).split(',')
  return [names.join(', '), names.map((name) => changed[name] ?? `t.${name}`).join(', ')]
}

const dayOf = (date) => date.toISOString().slice(0, 10)

/** A moment of an order, moved back by the number of its copy. */
const moment = (column) => `${column} - cast(m.n as bigint) * ${MINUTES_APART * 60_000_000}`

/** Which orders, items and transfers are copied, each with the id of its copy. */
function copied(id, count) {
  return [
    `create table bench_sources as select o.id as order_id, row_number() over (order by o.number) - 1 as place from orders o
       where o.status = 'paid' and o.notary_id = (select id from notaries where phone = '${PHONE}')
       and (select count(*) from order_items i where i.order_id = o.id and i.payment_kind in ('admin_payment', 'requisites_payment')) > 0;\n`,
    `create table bench_made as with recursive counted(n) as (select 1 union all select n + 1 from counted where n < ${count})
       select n, ${id} as order_id, s.order_id as source from counted
       join bench_sources s on s.place = n % (select count(*) from bench_sources);\n`,
    `create table bench_items as select m.n, m.order_id, i.id as source, ${id} as item_id from bench_made m join order_items i on i.order_id = m.source;\n`,
    `create table bench_transfers as select m.n, m.order_id, m.item_id, t.id as source, ${id} as transfer_id,
       row_number() over (order by m.n) as place from bench_items m join transfers t on t.item_id = m.source;\n`,
  ]
}

/** The copies. `insert` writes a table, with some columns changed; `day` is the day on which a transfer is credited. */
function copies(insert, day) {
  return [
    insert(
      'orders',
      {
        id: 'm.order_id',
        number: '(select max(number) from orders) + m.n',
        created_at: moment('t.created_at'),
        paid_at: moment('t.paid_at'),
        idempotency_key: "'bench-' || m.n",
      },
      'from bench_made m join orders t on t.id = m.source',
    ),
    insert(
      'order_items',
      { id: 'm.item_id', order_id: 'm.order_id' },
      'from bench_items m join order_items t on t.id = m.source',
    ),
    insert(
      'transfers',
      {
        id: 'm.transfer_id',
        order_id: 'm.order_id',
        item_id: 'm.item_id',
        document_number: '(select max(document_number) from transfers) + m.place',
        status: "'credited'",
        reason: 'null',
        returned_on: 'null',
        replaces: 'null',
        uetr: 'null',
        refund_requested_at: 'null',
        refunded_at: 'null',
        refund_reason: 'null',
        credited_on: day,
      },
      'from bench_transfers m join transfers t on t.id = m.source join orders o on o.id = t.order_id',
    ),
    insert(
      'attempts',
      {
        id: 'm.order_id',
        reference: 'm.order_id',
        order_id: 'm.order_id',
        invoice_id: "'bench-' || m.n",
        created_at: moment('t.created_at'),
        charged_at: moment('t.charged_at'),
      },
      "from bench_made m join attempts t on t.order_id = m.source and t.outcome = 'paid'",
    ),
  ]
}

/** Writes copies of the notary's paid orders, whose transfers are credited on the day of payment. Returns the first and the last day. */
function seed(cabinet, count) {
  const isPostgres = options.postgres !== undefined
  const id = isPostgres ? 'gen_random_uuid()' : 'randomblob(16)'
  const day = isPostgres
    ? `to_char(to_timestamp((${moment('o.paid_at')}) / 1000000), 'YYYY-MM-DD')`
    : `date((${moment('o.paid_at')}) / 1000000, 'unixepoch')`
  const insert = (table, changed, from) => {
    const [names, values] = columns(cabinet, table, changed)
    return `insert into ${table} (${names}) select ${values} ${from};\n`
  }
  const text = [
    ...copied(id, count),
    ...copies(insert, day),
    'drop table bench_sources;\ndrop table bench_made;\ndrop table bench_items;\ndrop table bench_transfers;\nanalyze;\n',
  ]
  onDatabase(cabinet, text.join(''))
  const last = new Date()
  const first = new Date(last)
  first.setUTCFullYear(last.getUTCFullYear() - 1)
  return { from: dayOf(first), to: dayOf(last) }
}

async function page(cabinet, { accessToken }, what, path) {
  reset(cabinet.pid)
  const began = performance.now()
  const answer = await fetch(`${cabinet.url}/api${path}`, {
    headers: { authorization: `Bearer ${accessToken}` },
  })
  const bytes = (await answer.arrayBuffer()).byteLength
  row(what, performance.now() - began, peak(cabinet.pid), `${answer.status}, ${bytes} bytes`)
}

async function command(cabinet, what, given) {
  const began = performance.now()
  const child = spawn(options.binary, ['report', ...given], {
    cwd: cabinet.folder,
    env: { PATH: process.env.PATH, CABINET_DATABASE_URL: cabinet.databaseUrl },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let memory = 0
  const watch = setInterval(() => {
    try {
      memory = Math.max(memory, peak(child.pid))
    } catch {
      // It has ended.
    }
  }, 2)
  let bytes = 0
  child.stdout.on('data', (part) => (bytes += part.length))
  const code = await new Promise((done) => child.once('close', done))
  clearInterval(watch)
  row(what, performance.now() - began, memory, `exit code ${code}, ${bytes} bytes`)
}

const cabinet = await Cabinet.make(options.binary, { database: options.postgres })
try {
  await cabinet.start()
  await cabinet.end()
  const days = seed(cabinet, Number(options.orders))
  await cabinet.start()
  const notary = await cabinet.logIn(PHONE)
  const period = `from=${days.from}&to=${days.to}`
  const month = days.to.slice(0, 7)
  const quarter = `${days.to.slice(0, 4)}-Q${Math.ceil(Number(days.to.slice(5, 7)) / 3)}`
  process.stdout.write(`${options.orders} orders from ${days.from} to ${days.to}\n`)
  await page(cabinet, notary, 'GET /reports, a year by payment', `/reports?${period}`)
  await page(cabinet, notary, 'GET /reports, a year by crediting', `/reports?${period}&by=crediting`)
  await page(cabinet, notary, 'income book, a year', `/reports/income-book?${period}`)
  await page(cabinet, notary, 'income book, a month', `/reports/income-book?from=${month}-01&to=${days.to}`)
  await page(cabinet, notary, 'taxes of a quarter', `/reports/tax-quarter?quarter=${quarter}`)
  await command(cabinet, 'cabinet report daily', ['daily', '--day', days.to])
  await command(cabinet, 'cabinet report acts', ['acts', '--month', month])
} finally {
  await cabinet.end('SIGKILL')
  cabinet.remove()
}
process.exitCode = verdict(good)
