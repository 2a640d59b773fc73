// Measures the release binary from outside and prints one table. Each row is a ratio or a figure of one run on this machine;
// tools/bench/README.md explains the rows.
//
//   node tools/bench/measure.mjs --binary PATH [--seconds 5] [--orders 100000] [--accounts 1000] [--json FILE]

import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Cabinet } from '../lib/cabinet.mjs'
import { PHONE } from '../lib/notary.mjs'
import { paymentOf } from '../lib/payments.mjs'
import { median } from '../lib/statistics.mjs'
import { seedOrders } from './seed-orders.mjs'
import { verdict } from './verdict.mjs'

const { values: options } = parseArgs({
  options: {
    binary: { type: 'string' },
    seconds: { type: 'string', default: '5' },
    orders: { type: 'string', default: '100000' },
    // Whose carts are filled. A cart holds 200 payments, so these hold all that 5 seconds can add.
    accounts: { type: 'string', default: '1000' },
    json: { type: 'string' },
  },
})
if (options.binary === undefined) throw new Error('--binary PATH is needed')
const seconds = Number(options.seconds)
const manyOrders = Number(options.orders)
const rows = []

/**
 * Adds a row: what was measured, the value, its limit (least or most), the aim, and for a ratio its two figures.
 */
function row(what, value, unit, least, aim, better, figures = '') {
  const good = better === 'more' ? value >= least : value <= least
  rows.push({ what, value, unit, least, aim, better, good, figures })
}

/** Adds the ratio of two rates of the same run. */
function ratio(what, rate, base, least, aim, besides = '') {
  row(
    what,
    rate / base,
    '×',
    least,
    aim,
    'more',
    `${Math.round(rate)}/s against ${Math.round(base)}/s${besides}`,
  )
}

/** Returns requests a second by wrk and the median latency in milliseconds. */
function load(url, { connections, token, script, threads = 2, refusals = false, lasts = seconds }) {
  const given = [
    '-t',
    String(Math.min(threads, connections)),
    '-c',
    String(connections),
    '-d',
    `${Math.max(1, Math.round(lasts))}s`,
    '--latency',
  ]
  if (token !== undefined) given.push('-H', `Authorization: Bearer ${token}`)
  if (script !== undefined) given.push('-s', script)
  const output = execFileSync('wrk', [...given, url], { encoding: 'utf8' })
  if (!refusals && /Non-2xx or 3xx responses: (\d+)/.test(output))
    throw new Error(`${url} refused requests:\n${output}`)
  const latency = /50%\s+([\d.]+)(us|ms|s)/.exec(output)
  const factor = { us: 0.001, ms: 1, s: 1000 }[latency[2]]
  return {
    perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(output)[1]),
    median: Number(latency[1]) * factor,
  }
}

/** How often the two sides of the cart's row alternate. */
const TURNS = 5

async function cartRead(cabinet, notary) {
  const payment = await paymentOf(notary, 'requisites_payment')
  const token = notary.accessToken
  for (let item = 0; item < 5; item += 1) await notary.add(payment)
  // Alternating, so that a machine that slows down affects both sides.
  let bare = 0
  let cart = 0
  for (let turn = 0; turn < TURNS; turn += 1) {
    bare += load(`${cabinet.url}/healthz`, { connections: 32, lasts: seconds / TURNS }).perSecond / TURNS
    cart +=
      load(`${cabinet.url}/api/cart`, { connections: 32, token, lasts: seconds / TURNS }).perSecond / TURNS
  }
  ratio('GET /api/cart (5 items) / empty handler', cart, bare, 0.33, 0.5)
  return payment
}

/**
 * Adds payments with 64 clients at once. Each is answered after it is on the disk. A cart has a limit, so the load goes over many
 * accounts, and only payments that were added count.
 */
async function cartWrite(cabinet, payment) {
  const tokens = []
  for (let number = 1; number <= Number(options.accounts); number += 1)
    tokens.push((await cabinet.signUp(number)).accessToken)
  const script = join(cabinet.folder, 'add.lua')
  writeFileSync(
    script,
    // The requests are prepared before the load begins, because the load shares the cores with the server.
    `local started = 0
function setup(thread)
  thread:set('turn', started)
  started = started + 1
end
local tokens = {${tokens.map((token) => `'${token}'`).join(',')}}
local body = [==[${JSON.stringify(payment)}]==]
local requests = {}
function init()
  for number, token in ipairs(tokens) do
    local headers = { ['Content-Type'] = 'application/json', ['Authorization'] = 'Bearer ' .. token }
    requests[number] = wrk.format('POST', nil, headers, body)
  end
end
function request()
  turn = turn + 2
  return requests[turn % #requests + 1]
end
`,
  )
  const before = countOf(cabinet.database, 'cart_items')
  const began = performance.now()
  load(`${cabinet.url}/api/cart/add`, { connections: 64, script, refusals: true })
  const passed = (performance.now() - began) / 1000
  return (countOf(cabinet.database, 'cart_items') - before) / passed
}

function countOf(database, table) {
  const file = new DatabaseSync(database, { readOnly: true })
  try {
    return file.prepare(`select count(*) as present from ${table}`).get().present
  } finally {
    file.close()
  }
}

/** Returns durable commits a second by one thread, of the rows that `cart/add` writes: client, cart and item. */
function rawCommits(database) {
  const copy = `${database}.raw`
  const source = new DatabaseSync(database)
  source.exec(`vacuum into '${copy}'`)
  source.close()
  const raw = new DatabaseSync(copy)
  try {
    raw.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on')
    const columns = raw
      .prepare('select name from pragma_table_info(?)')
      .all('cart_items')
      .map((one) => one.name)
    const sample = raw.prepare('select * from cart_items limit 1').get()
    const insert = raw.prepare(
      `insert into cart_items (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
    )
    const touch = raw.prepare('update clients set used_at = ? where id = ?')
    const advance = raw.prepare(
      'update carts set version = version + 1, items_count = items_count + 1, total = total + ? where notary_id = ?',
    )
    const values = columns.map((name) => sample[name])
    const id = columns.indexOf('id')
    const until = performance.now() + seconds * 1000
    let commits = 0
    while (performance.now() < until) {
      values[id] = uuidBytes()
      raw.exec('begin immediate')
      touch.run(commits, sample.client_id)
      insert.run(...values)
      advance.run(sample.amount + sample.commission, sample.notary_id)
      raw.exec('commit')
      commits += 1
    }
    return commits / seconds
  } finally {
    raw.close()
  }
}

/** Returns the median milliseconds of a flush of 4 KiB to the disk of the database, which a durable commit waits for. */
function flushTime(folder) {
  const file = openSync(join(folder, 'flush'), 'w')
  try {
    const page = Buffer.alloc(4096, 1)
    const times = []
    for (let time = 0; time < 201; time += 1) {
      writeSync(file, page)
      const began = performance.now()
      fsyncSync(file)
      times.push(performance.now() - began)
    }
    return median(times)
  } finally {
    closeSync(file)
  }
}

function uuidBytes() {
  return Buffer.from(randomUUID().replaceAll('-', ''), 'hex')
}

/** Returns requests a second for the first page of an archive with this number of orders. */
async function archiveRead(count) {
  const cabinet = await Cabinet.make(options.binary)
  try {
    await cabinet.start()
    await cabinet.end()
    seedOrders(cabinet.database, PHONE, count)
    await cabinet.start()
    const { accessToken: token } = await cabinet.logIn(PHONE)
    const measured = load(`${cabinet.url}/api/order`, { connections: 16, token })
    await cabinet.end()
    return measured.perSecond
  } finally {
    cabinet.remove()
  }
}

/** Returns the median milliseconds of a receipt by HTTP, one after another. */
async function receipt(cabinet, notary) {
  const { orders } = await notary.get('/order')
  const paid = orders.find((order) => order.status === 'paid')
  const url = `${cabinet.url}/api/order/item/${paid.items[0].id}/receipt?receipt_type=payment`
  return load(url, { connections: 1, threads: 1, token: notary.accessToken }).median
}

/** Returns the median of several starts on an existing database. */
async function startTime(cabinet) {
  const times = []
  for (let time = 0; time < 7; time += 1) {
    // Whoever looks every 20 ms can't tell 30 ms from 50.
    times.push(await cabinet.start({}, 1))
    await cabinet.end()
  }
  return median(times)
}

const cabinet = await Cabinet.make(options.binary)
try {
  await cabinet.start()
  await cabinet.end()
  row('start to the first 200, existing database', await startTime(cabinet), 'ms', 100, 30, 'less')

  await cabinet.start()
  const notary = await cabinet.logIn(PHONE)
  await pause(1000)
  row('resident memory, idle', cabinet.memory(), 'MiB', 40, 20, 'less')
  row('receipt as PDF, warm, one at a time', await receipt(cabinet, notary), 'ms', 5, 3, 'less')
  const payment = await cartRead(cabinet, notary)
  const added = await cartWrite(cabinet, payment)
  row('resident memory, after all load', cabinet.memory(), 'MiB', 120, 60, 'less')
  await cabinet.end()
  const raw = rawCommits(cabinet.database)
  const flush = `; a flush takes ${flushTime(cabinet.folder).toFixed(2)} ms`
  ratio('POST /api/cart/add, 64 clients / raw durable commits', added, raw, 2, 6, flush)
} finally {
  await cabinet.end('SIGKILL')
  cabinet.remove()
}

const few = await archiveRead(100)
const many = await archiveRead(manyOrders)
ratio(`GET /api/order, ${manyOrders} orders / 100 orders`, many, few, 0.8, 0.95)

process.stdout.write('\n')
for (const { what, value, unit, least, aim, better, good, figures } of rows) {
  const limit = `${better === 'more' ? 'at least' : 'at most'} ${least}, aim ${aim}`
  process.stdout.write(
    `${what.padEnd(55)} ${value.toFixed(2).padStart(9)} ${unit.padEnd(4)} ${limit.padEnd(26)} ${(good ? 'ok' : 'NOT REACHED').padEnd(12)} ${figures}\n`,
  )
}
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(rows, null, 2)}\n`)
process.exitCode = verdict(rows.every((one) => one.good))
