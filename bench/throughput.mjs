// Measures carts read, payments added and whole orders a second: one process on SQLite, one and two on PostgreSQL. bench/README.md explains
// the columns.
//
//   node bench/throughput.mjs --binary PATH [--postgres ADDRESS] [--seconds 2] [--accounts 300] [--payers 8]
//
// ADDRESS names a server of PostgreSQL on which databases may be made; without it SQLite alone is measured.

import { execFile, execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { Cabinet, freePort, median, quantile, requisitesPayment } from './cabinet.mjs'

const { values: options } = parseArgs({
  options: {
    binary: { type: 'string' },
    postgres: { type: 'string' },
    // In longer runs the carts of the accounts would become full on a fast machine.
    seconds: { type: 'string', default: '2' },
    accounts: { type: 'string', default: '300' },
    payers: { type: 'string', default: '8' },
  },
})
if (options.binary === undefined) throw new Error('--binary PATH is needed')
const seconds = Math.max(1, Math.round(Number(options.seconds)))
const CONNECTIONS = 32
const PAID_WITHIN_MILLISECONDS = 30_000
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
function script(folder, tokens, method, body) {
  const path = join(folder, `${randomUUID()}.lua`)
  writeFileSync(
    path,
    `local tokens = {${tokens.map((token) => `'${token}'`).join(',')}}
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

/** Adds a payment, orders it, pays it on the acquirer's page and waits until it is shown as paid, again and again; each request goes to the next process. */
async function payUntil(processes, token, payment, end, times) {
  let turn = 0
  const call = (path, body) => {
    turn += 1
    return processes[turn % processes.length].call(path, body, token, { 'idempotency-key': randomUUID() })
  }
  while (performance.now() < end) {
    const began = performance.now()
    await call('/cart/add', payment)
    const cart = await call('/cart')
    const group = cart.groups[0]
    const { order } = await call('/order/create', { client_id: group.client.id, locale: 'uk' })
    const invoice = new URL(order.widget_url).pathname.split('/').findLast((part) => part !== '')
    await fetch(`${processes[0].sandbox}/sandbox/invoices/${invoice}/pay`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ card: '4242424242424242', save_card: false }),
    })
    const deadline = performance.now() + PAID_WITHIN_MILLISECONDS
    for (;;) {
      const { order: now } = await call(`/order/${order.id}`)
      if (now.status === 'paid') break
      if (performance.now() > deadline) throw new Error(`order ${order.id} is ${now.status}`)
      await pause(20)
    }
    times.push(performance.now() - began)
  }
}

/** Returns the peak resident memory of a process in MiB. */
const peak = ({ process: { pid } }) =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024

function print(what, { perSecond, p50, p99 }) {
  process.stdout.write(
    `  ${what.padEnd(34)} ${perSecond.toFixed(perSecond < 100 ? 1 : 0).padStart(7)}/s   p50 ${p50.toFixed(1).padStart(7)} ms   p99 ${p99.toFixed(1).padStart(7)} ms\n`,
  )
}

async function measure(name, count, databaseUrl) {
  const first = await Cabinet.make(options.binary, databaseUrl)
  const processes = [first]
  try {
    await first.start()
    for (let index = 1; index < count; index += 1) {
      const other = new Cabinet(
        options.binary,
        first.folder,
        await freePort(),
        first.sandboxPort,
        first.databaseUrl,
      )
      // It shares the database and the sandbox of the first one.
      await other.start({ CABINET_SANDBOX_URL: first.sandbox, CABINET_PUBLIC_URL: first.url })
      processes.push(other)
    }
    const accounts = Number(options.accounts)
    const tokens = []
    for (let number = 1; number <= accounts; number += 1) tokens.push(await first.signUp(number))
    const payment = await requisitesPayment(first, tokens[0])
    const payers = Number(options.payers)
    const payersTokens = tokens.slice(0, payers)
    const others = tokens.slice(payers)
    // Each process has accounts of its own, so that two of them don't wait for one cart.
    const part = (index) => others.filter((_, number) => number % count === index)

    process.stdout.write(`${name}\n`)
    for (const token of others.slice(0, 100))
      for (let item = 0; item < 5; item += 1) await first.call('/cart/add', payment, token)
    const readers = processes.map((_, index) =>
      script(
        first.folder,
        part(index).filter((token) => others.indexOf(token) < 100),
        'GET',
      ),
    )
    print('carts of 5 payments read', await load(processes, '/cart', (index) => readers[index]))
    const writers = processes.map((_, index) => script(first.folder, part(index), 'POST', payment))
    print('payments added', await load(processes, '/cart/add', (index) => writers[index]))
    const times = []
    const began = performance.now()
    await Promise.all(
      payersTokens.map((token) => payUntil(processes, token, payment, began + seconds * 2000, times)),
    )
    const perSecond = (times.length * 1000) / (performance.now() - began)
    print(`whole orders, ${payers} notaries`, {
      perSecond,
      p50: median(times),
      p99: quantile(times, 0.99),
    })
    const memory = processes.map((one) => peak(one).toFixed(0)).join(' and ')
    process.stdout.write(
      `  ${'peak memory'.padEnd(34)} ${memory} MiB (the first process holds the sandbox too)\n`,
    )
  } finally {
    for (const one of processes) one.process?.kill('SIGKILL')
    first.remove()
  }
}

const psql = (statement) => execFileSync('psql', ['-qX', '-c', statement, options.postgres])

/** Runs some work with a new database, and drops it. */
async function withDatabase(work) {
  const name = `bench_${randomUUID().replaceAll('-', '')}`
  psql(`create database ${name}`)
  try {
    const address = new URL(options.postgres)
    address.pathname = `/${name}`
    await work(address.toString())
  } finally {
    psql(`drop database ${name} with (force)`)
  }
}

await measure('SQLite, one process', 1)
if (options.postgres !== undefined) {
  await withDatabase((address) => measure('PostgreSQL, one process', 1, address))
  await withDatabase((address) => measure('PostgreSQL, two processes', 2, address))
}
