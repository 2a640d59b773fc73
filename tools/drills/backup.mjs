// Copies a PostgreSQL database under payments, loses it, and restores it: to a moment before an accident, and to the end of the archive
// after the server and its disk are gone. Between them the copy is restored for practice, which must not spoil the archive for the latter.
//
//   node tools/drills/backup.mjs --binary PATH --programs FOLDER --home FOLDER [--user NAME] --with pg_basebackup|pgbackrest

import { parseArgs } from 'node:util'
import { setTimeout as pause } from 'node:timers/promises'

import { Cabinet } from '../lib/cabinet.mjs'
import { PHONE } from '../lib/notary.mjs'
import { examine, pay, shown } from './payments.mjs'
import { ARCHIVE_SECONDS, BaseBackup, PgBackRest, Server } from './postgres.mjs'

const { values: options } = parseArgs({
  options: {
    binary: { type: 'string' },
    programs: { type: 'string' },
    home: { type: 'string' },
    user: { type: 'string' },
    with: { type: 'string' },
  },
})

const server = new Server(options.home, options.programs, options.user)
const tool = new { pg_basebackup: BaseBackup, pgbackrest: PgBackRest }[options.with](server)
const cabinet = await Cabinet.make(options.binary, { database: server.url })
const acknowledged = []

const say = (text) => process.stdout.write(`  ${text}\n`)
const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`

async function payOne(notary) {
  const { id, number, sum } = await pay(notary)
  acknowledged.push({ id, number, sum, at: Date.now() })
}

/** Pays until it is told to stop. Returns a function that stops it and waits for the last payment. */
function keepPaying(notary) {
  const going = { on: true }
  const running = (async () => {
    while (going.on) await payOne(notary)
  })()
  return async () => {
    going.on = false
    await running
  }
}

/** Starts the cabinet on what was restored. Returns which of the paid orders it has as paid, and fails if one has another sum. */
async function look() {
  const milliseconds = await cabinet.start()
  const notary = await cabinet.logIn(PHONE)
  const present = []
  for (const order of acknowledged) {
    const now = await shown(notary, order.id)
    if (now && now.sum !== order.sum) throw new Error(`order ${order.number} is of ${now.sum}`)
    if (now?.status === 'paid') present.push(order)
  }
  await examine(cabinet)
  const refused = await cabinet.command('transfers', 'export', `${options.home}/never.csv`)
  if (refused.code === 0 || !refused.text.includes('transfers resume'))
    throw new Error(`the restored database is not known for a copy: ${refused.text}`)
  return { milliseconds, present }
}

/** An accident that somebody notices: restored is the moment before it. */
async function accident(notary) {
  const until = server.sql('select clock_timestamp()')
  const before = acknowledged.length
  await pause(1100)
  for (let more = 0; more < 3; more += 1) await payOne(notary)
  server.sql('drop table orders cascade')
  await server.archived()
  await cabinet.end('SIGKILL')
  server.stop()
  server.run('rm', '-rf', server.data)
  const began = performance.now()
  tool.restore(until)
  server.start()
  await server.recovered()
  tool.finish()
  const took = seconds(began)
  const { milliseconds, present } = await look()
  const missing = acknowledged.slice(0, before).filter((one) => !present.includes(one))
  if (missing.length > 0) throw new Error(`${missing.length} orders from before the moment are lost`)
  if (present.length > before) throw new Error('orders from after the moment are there')
  say(
    `an accident, restored to the moment before it in ${took}, ready ${Math.round(milliseconds)} ms later: ${before} of ${before} orders paid before are there, none of the 3 after it`,
  )
  await cabinet.end()
  acknowledged.length = before
}

/** The copy is restored for practice, as on another machine, and looked at. What comes of it must not get into the archive. */
async function practice() {
  const other = server.another('practice')
  tool.practise(other)
  other.start()
  try {
    await other.recovered()
    const mode = other.sql('show archive_mode')
    if (mode !== 'off') throw new Error(`archive_mode of the practice is ${mode}`)
    const ids = acknowledged.map(({ id }) => `'${id}'`).join()
    const paid = Number(other.sql(`select count(*) from orders where status = 'paid' and id in (${ids})`))
    if (paid < acknowledged.length)
      throw new Error(`the practice has ${paid} of ${acknowledged.length} paid orders`)
    await examine(new Cabinet(options.binary, { folder: other.home, database: other.url }))
    // With an archive this would be in it at once.
    other.sql('create table practice as select generate_series(1, 1000) as number')
    other.sql('select pg_switch_wal()')
    await pause(1000)
    say(`restored for practice: ${paid} of ${paid} orders are there and paid, cabinet doctor finds nothing`)
  } finally {
    other.stop()
  }
}

/** The server and its disk are gone in the midst of payments. */
async function loss() {
  await cabinet.start()
  const stop = keepPaying(await cabinet.logIn(PHONE))
  await pause(3000)
  const safe = Date.now()
  await server.archived()
  await pause(ARCHIVE_SECONDS * 1500)
  const lostAt = Date.now()
  server.lose()
  await Promise.all([stop().catch(() => undefined), cabinet.end('SIGKILL')])
  const began = performance.now()
  tool.restore()
  server.start()
  await server.recovered()
  tool.finish()
  const took = seconds(began)
  const { milliseconds, present } = await look()
  const missing = acknowledged.filter((one) => !present.includes(one))
  const gap = missing.length === 0 ? 0 : (lostAt - Math.min(...missing.map((one) => one.at))) / 1000
  // How far the archive is behind depends on the machine, too.
  if (missing.some((one) => one.at < safe)) throw new Error('a payment is lost whose log was archived')
  say(
    `server and disk gone under payments, restored from the archive in ${took}, ready ${Math.round(milliseconds)} ms later: ${present.length} of ${acknowledged.length} orders are there and paid; ` +
      `lost are the ${missing.length} of the last ${gap.toFixed(1)} s (archive_timeout ${ARCHIVE_SECONDS} s)`,
  )
  await cabinet.end()
}

try {
  tool.make()
  await cabinet.start()
  const notary = await cabinet.logIn(PHONE)
  const stop = keepPaying(notary)
  await pause(2000)
  const began = performance.now()
  tool.copy()
  const took = seconds(began)
  const atCopy = acknowledged.length
  await pause(1000)
  await stop()
  const size = server.sql('select pg_size_pretty(pg_database_size(current_database()))')
  say(
    `copied under payments in ${took} (${size}), ${acknowledged.length} orders paid, ${acknowledged.length - atCopy} of them after the copy`,
  )
  await accident(notary)
  // The first restore has made a new timeline: a copy of it, as after any restore.
  if (tool instanceof BaseBackup) server.run('rm', '-rf', tool.base)
  tool.copy()
  await practice()
  await loss()
} finally {
  await cabinet.end('SIGKILL')
  cabinet.remove()
  server.stop()
}
