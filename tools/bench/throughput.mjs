// Measures carts read, payments added and whole orders a second, and what an order costs: one process on SQLite, one and two on PostgreSQL, each
// as the disk is and with five milliseconds more for each flush. The acquirer is a process of its own. tools/bench/README.md explains the columns.
//
//   node tools/bench/throughput.mjs --binary PATH [--postgres ADDRESS] [--flushes FILE --library PATH] [--seconds 2] [--accounts 600] [--payers 8,32,64]
//
// ADDRESS names a server of PostgreSQL on which databases may be made; without it SQLite alone is measured. LIBRARY is built from flushes.c and is
// loaded into PostgreSQL, too; FILE is what it shares with the benchmark.

import { execFile, execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { Cabinet, memoryOf } from '../lib/cabinet.mjs'
import { freePort } from '../lib/network.mjs'
import { Notary, once } from '../lib/notary.mjs'
import { paymentOf } from '../lib/payments.mjs'
import { median, quantile } from '../lib/statistics.mjs'
import { until } from '../lib/wait.mjs'
import { Flushes } from './flushes.mjs'

const { values: options } = parseArgs({
  options: {
    binary: { type: 'string' },
    postgres: { type: 'string' },
    // In longer runs the carts of the accounts would become full on a fast machine.
    seconds: { type: 'string', default: '2' },
    accounts: { type: 'string', default: '600' },
    payers: { type: 'string', default: '8,32,64' },
    flushes: { type: 'string' },
    library: { type: 'string' },
  },
})
if (options.binary === undefined) throw new Error('--binary PATH is needed')
const seconds = Math.max(1, Math.round(Number(options.seconds)))
const CONNECTIONS = 32
/** So much longer a flush takes in the second half: a standby at a distance that must have it, too. */
const SLOW_FLUSH_MILLISECONDS = 5
/** Ticks of the processor's clock in a second, as Linux counts them for programs. */
const TICKS_PER_SECOND = 100
const flushes = options.flushes === undefined ? undefined : new Flushes(options.flushes)
const payers = options.payers.split(',').map(Number)
const FACTOR = { us: 0.001, ms: 1, s: 1000 }
const run = promisify(execFile)

/** Loads all processes at once, each with its part of the connections. Returns requests a second, and the worst process's p50 and p99 in ms. */
async function load(processes, path, scriptOf) {
  const runs = processes.map(async ({ url }, index) => {
    const given = ['-t', '1', '-c', String(CONNECTIONS / processes.length), '-d', `${seconds}s`, '--latency']
    const { stdout } = await run('wrk', [...given, '-s', scriptOf(index), `${url}/api${path}`])
    if (stdout.includes('Non-2xx')) throw new Error(`${path} refused requests:\n${stdout}`)
    const at = (share) => {
      const [, value, unit] = new RegExp(`${share}%\\s+([\\d.]+)(us|ms|s)`).exec(stdout)
      return Number(value) * FACTOR[unit]
    }
    return { perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)[1]), p50: at(50), p99: at(99) }
  })
  const all = await Promise.all(runs)
  return {
    perSecond: all.reduce((sum, one) => sum + one.perSecond, 0),
    p50: Math.max(...all.map((one) => one.p50)),
    p99: Math.max(...all.map((one) => one.p99)),
  }
}

/** Writes a script for wrk that sends one request with the session of one account after another. */
function script(folder, notaries, method, body) {
  const path = join(folder, `${randomUUID()}.lua`)
  writeFileSync(
    path,
    `local tokens = {${notaries.map(({ accessToken }) => `'${accessToken}'`).join(',')}}
local requests = {}
local turn = 0
function init()
  for number, token in ipairs(tokens) do
    local headers = { ['Content-Type'] = 'application/json', ['Authorization'] = 'Bearer ' .. token }
    requests[number] = wrk.format('${method}', nil, headers, ${body === undefined ? 'nil' : `[==[${JSON.stringify(body)}]==]`})
  end
end
function request()
  turn = turn + 1
  return requests[turn % #requests + 1]
end
`,
  )
  return path
}

/** A notary who pays by a saved card, without a pause. Each request goes to the next process. */
class Payer extends Notary {
  #turn = 0

  constructor(processes, { phone, accessToken }, payment) {
    super(processes[0], phone)
    this.processes = processes
    this.accessToken = accessToken
    this.payment = payment
  }

  send(method, path, wish) {
    this.#turn += 1
    this.cabinet = this.processes[this.#turn % this.processes.length]
    return super.send(method, path, wish)
  }

  async #group() {
    await this.post('/cart/add', this.payment, once())
    const { groups } = await this.cart()
    return groups[0].client.id
  }

  /** Saves a card, and proves once that she pays this recipient. */
  async prepare() {
    await this.saveCard()
    const card = async () => (await this.get('/order/token/get-all-tokens-by-phone')).tokens[0]
    const { Token, MaskPan } = await until('a saved card', card)
    this.card = { token_id: Token, pan: MaskPan }
    await this.#pay(await this.#group())
  }

  async #pay(clientId) {
    const { id } = await this.createOrder(clientId, this.card)
    const isPaid = async () => (await this.order(id)).status === 'paid'
    await until(`order ${id} is paid`, isPaid, { every: 10 })
  }

  /** Adds a payment, orders it, pays it and reads that it is paid, again and again. */
  async payUntil(end, times) {
    while (performance.now() < end) {
      const began = performance.now()
      await this.#pay(await this.#group())
      times.push(performance.now() - began)
    }
  }
}

/** Returns the milliseconds of processor that a process has taken. */
function processor({ pid }) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND
}

const sum = (numbers) => numbers.reduce((whole, one) => whole + one, 0)

/** Returns the units of work that a process has done on its database: those that read and those that write. */
async function units({ operations }) {
  const text = await (await fetch(`http://${operations}/metrics`)).text()
  const of = (access) => {
    const lines = text.matchAll(
      new RegExp(`^cabinet_storage_units_total\\{access="${access}"[^}]*\\} (\\d+)`, 'gm'),
    )
    return sum([...lines].map((line) => Number(line[1])))
  }
  return { reads: of('read'), writes: of('write') }
}

/** What an order costs: statements (with `begin` and `commit`) and transactions on PostgreSQL, units of work on SQLite; flushes; processor. */
async function spent(processes, databaseUrl) {
  const cost = { processor: sum(processes.map(processor)), flushes: flushes?.count() }
  if (databaseUrl === undefined) return { ...cost, ...(await units(processes[0])) }
  // The counters of a connection are told once a second.
  await pause(1_100)
  const [statements, transactions] = ask(
    `select sum(s.calls), (select xact_commit from pg_stat_database where datname = '${databaseName(databaseUrl)}')
     from pg_stat_statements s join pg_database d on d.oid = s.dbid where d.datname = '${databaseName(databaseUrl)}'`,
  )
  return { ...cost, statements, transactions }
}

function print(what, { perSecond, p50, p99 }, more = '') {
  process.stdout.write(
    `  ${what.padEnd(28)} ${perSecond.toFixed(perSecond < 100 ? 1 : 0).padStart(7)}/s   p50 ${p50.toFixed(1).padStart(7)} ms   p99 ${p99.toFixed(1).padStart(7)} ms${more}\n`,
  )
}

/** Measures whole orders of some notaries at once. */
async function measureOrders(processes, paying, databaseUrl) {
  const times = []
  const before = await spent(processes, databaseUrl)
  const began = performance.now()
  await Promise.all(paying.map((payer) => payer.payUntil(began + seconds * 2000, times)))
  const perSecond = (times.length * 1000) / (performance.now() - began)
  const after = await spent(processes, databaseUrl)
  const costs = Object.keys(after)
    .filter((name) => after[name] !== undefined)
    .map(
      (name) =>
        `${((after[name] - before[name]) / times.length).toFixed(1)} ${name === 'processor' ? 'ms of processor' : name}`,
    )
  const told = { perSecond, p50: median(times), p99: quantile(times, 0.99) }
  print(`whole orders, ${paying.length} notaries`, told, `   an order: ${costs.join(', ')}`)
}

/** Starts so many processes on one database. Each is in the list as soon as it runs, so that it is ended whatever happens. */
async function startProcesses(processes, count, acquirer, database) {
  for (let index = 0; index < count; index += 1) {
    const operations = `127.0.0.1:${await freePort()}`
    const settings = {
      CABINET_OPERATIONS_LISTEN: operations,
      // All devices here are new, and saved cards pay.
      CABINET_CODES_DEVICE_KNOWN_AFTER_HOURS: '0',
      // Each notary here works like an office.
      CABINET_LIMITS_ACQUIRER_CALLS_PER_MINUTE: '1000000',
      ...(flushes === undefined ? {} : { LD_PRELOAD: options.library, FLUSHES: options.flushes }),
    }
    const one = await Cabinet.make(options.binary, {
      database,
      beside: processes[0],
      sandbox: acquirer.sandbox,
      settings,
    })
    one.operations = operations
    if (index === 0) {
      // Only a start with a sandbox of its own fills the database.
      await one.start({ CABINET_SANDBOX_URL: undefined })
      await one.end()
    }
    await one.start()
    processes.push(one)
  }
}

/** Makes the accounts: those that pay, each with a saved card, and the others, of which a hundred have a cart. */
async function makeAccounts(processes) {
  const [first] = processes
  const notaries = []
  for (let number = 1; number <= Number(options.accounts); number += 1)
    notaries.push(await first.signUp(number))
  const payment = await paymentOf(notaries[0], 'requisites_payment')
  const most = Math.max(...payers)
  const others = notaries.slice(most)
  const paying = notaries
    .slice(0, most)
    .map((notary) => new Payer(processes, notary, { ...payment, amount: 1 }))
  for (const payer of paying) await payer.prepare()
  const withCart = others.slice(0, 100)
  for (const notary of withCart) for (let item = 0; item < 5; item += 1) await notary.add(payment)
  return { payment, paying, others, withCart }
}

async function measure(name, count, databaseUrl) {
  const acquirer = await Cabinet.make(options.binary)
  const processes = []
  const folder = acquirer.folder
  try {
    await acquirer.start()
    await startProcesses(processes, count, acquirer, databaseUrl)
    const { payment, paying, others, withCart } = await makeAccounts(processes)
    // Each process has accounts of its own, so that two of them don't wait for one cart.
    const part = (index) => others.filter((_, number) => number % count === index)
    const readers = processes.map((_, index) =>
      script(
        folder,
        part(index).filter((notary) => withCart.includes(notary)),
        'GET',
      ),
    )
    const writers = processes.map((_, index) => script(folder, part(index), 'POST', payment))

    for (const slower of flushes === undefined ? [0] : [0, SLOW_FLUSH_MILLISECONDS]) {
      flushes?.slowBy(slower)
      process.stdout.write(slower === 0 ? `${name}\n` : `${name}, each flush ${slower} ms longer\n`)
      print('carts of 5 payments read', await load(processes, '/cart', (index) => readers[index]))
      print('payments added', await load(processes, '/cart/add', (index) => writers[index]))
      for (const some of payers) await measureOrders(processes, paying.slice(0, some), databaseUrl)
    }
    process.stdout.write(
      `  peak memory: ${processes.map(({ pid }) => memoryOf(pid, 'VmHWM').toFixed(0)).join(' and ')} MiB\n`,
    )
  } finally {
    flushes?.slowBy(0)
    for (const one of [...processes, acquirer]) await one.end('SIGKILL')
    processes[0]?.remove()
    acquirer.remove()
  }
}

const psql = (...given) => execFileSync('psql', ['-qX', ...given, options.postgres], { encoding: 'utf8' })

/** Returns the numbers of the one row of a query. */
const ask = (query) => psql('-At', '-c', query).trim().split('|').map(Number)

const databaseName = (address) => new URL(address).pathname.slice(1)

/** Runs some work with a new database, and drops it. */
async function withDatabase(work) {
  const name = `bench_${randomUUID().replaceAll('-', '')}`
  psql('-c', `create database ${name}`)
  try {
    const address = new URL(options.postgres)
    address.pathname = `/${name}`
    await work(address.toString())
  } finally {
    psql('-c', `drop database ${name} with (force)`)
  }
}

await measure('SQLite, one process', 1)
if (options.postgres !== undefined) {
  psql('-c', 'create extension if not exists pg_stat_statements')
  await withDatabase((address) => measure('PostgreSQL, one process', 1, address))
  await withDatabase((address) => measure('PostgreSQL, two processes', 2, address))
}
