// Payments while far more is asked than the server can answer, with thousands of half requests open beside it.
// Usage: node tools/bench/overload.mjs --binary PATH [--seconds 60] [--half-open 9000] [--connections 800]

import { spawn } from 'node:child_process'
import { connect } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'

import { Cabinet } from '../lib/cabinet.mjs'
import { PHONE } from '../lib/notary.mjs'
import { paymentOf } from '../lib/payments.mjs'
import { quantile } from '../lib/statistics.mjs'
import { until } from '../lib/wait.mjs'
import { Payer } from './payer.mjs'

const { values: given } = parseArgs({
  options: {
    binary: { type: 'string' },
    seconds: { type: 'string', default: '60' },
    'half-open': { type: 'string', default: '9000' },
    connections: { type: 'string', default: '800' },
  },
})
const SECONDS = Number(given.seconds)
const HALF_OPEN = Number(given['half-open'])
const PAYERS = 8
const OPENED_WITHIN_SECONDS = 60

/** Keeps connections open whose request never ends. What the server closes is opened again. */
class HalfOpen {
  open = 0
  closed = 0
  ended = false
  #sockets = new Set()

  constructor(port, count) {
    this.port = port
    for (let number = 0; number < count; number += 1) this.#begin()
  }

  #begin() {
    if (this.ended) return
    const socket = connect(this.port, '127.0.0.1')
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
    socket.on('connect', () => {
      this.open += 1
      socket.write('GET /api/cart HTTP/1.1\r\nHost: cabinet\r\nX-Slow: ')
      socket.once('close', () => {
        this.open -= 1
        this.closed += 1
        setTimeout(() => this.#begin(), 50)
      })
    })
    socket.on('error', () => undefined)
  }

  end() {
    this.ended = true
    for (const socket of this.#sockets) socket.destroy()
  }
}

const milliseconds = (times, share) => (times.length === 0 ? '–' : `${Math.round(quantile(times, share))} ms`)

/** Asks for carts and archives with so many connections. Returns what wrk says. */
function flood(cabinet, path, token, connections) {
  const wrk = spawn('wrk', [
    '-t',
    '1',
    '-c',
    String(connections),
    '-d',
    `${SECONDS}s`,
    '--timeout',
    '30s',
    '-H',
    `Authorization: Bearer ${token}`,
    `${cabinet.url}${path}`,
  ])
  let said = ''
  wrk.stdout.on('data', (part) => (said += part))
  return new Promise((done) =>
    wrk.once('exit', () => {
      const answered = Number(/(\d+) requests in/.exec(said)?.[1])
      const refused = Number(/Non-2xx or 3xx responses: (\d+)/.exec(said)?.[1] ?? 0)
      const failed = /Socket errors: (.*)/.exec(said)?.[1] ?? 'none'
      done(`${answered} answers, ${refused} of them refused; socket errors: ${failed}`)
    }),
  )
}

const cabinet = await Cabinet.make(given.binary)
let halfOpen
try {
  await cabinet.start()
  const reader = await cabinet.logIn(PHONE)
  const payment = await paymentOf(reader, 'requisites_payment')
  const payers = []
  for (let number = 1; number <= PAYERS; number += 1)
    payers.push(new Payer(await cabinet.signUp(number), payment))

  const calm = new Payer(await cabinet.signUp(PAYERS + 1), payment)
  await calm.payUntil(performance.now() + 3_000)
  const memoryBefore = cabinet.memory()

  halfOpen = new HalfOpen(cabinet.port, HALF_OPEN)
  await until(`${HALF_OPEN} connections (see ulimit -n)`, () => halfOpen.open >= HALF_OPEN, {
    seconds: OPENED_WITHIN_SECONDS,
  })
  let memory = 0
  const watch = setInterval(() => (memory = Math.max(memory, cabinet.memory())), 250)
  const connections = Number(given.connections)
  const end = performance.now() + SECONDS * 1000
  const [carts, archives] = await Promise.all([
    flood(cabinet, '/api/cart', reader.accessToken, connections / 2),
    flood(cabinet, '/api/order', reader.accessToken, connections / 2),
    ...payers.map((payer) => payer.payUntil(end)),
  ])
  clearInterval(watch)

  const all = (field) => payers.flatMap((payer) => payer[field])
  const sum = (field) => payers.reduce((total, payer) => total + payer[field], 0)
  const file = new DatabaseSync(cabinet.database, { readOnly: true })
  const paid = new Set(
    file
      .prepare("select lower(hex(id)) as id from orders where status = 'paid'")
      .all()
      .map(({ id }) => id),
  )
  file.close()
  const lost = all('orders').filter((id) => !paid.has(id.replaceAll('-', '')))
  console.log(`half-open connections: ${halfOpen.open} at the end, ${halfOpen.closed} closed by the server`)
  console.log(`carts: ${carts}`)
  console.log(`archives: ${archives}`)
  console.log(
    `order alone: median ${milliseconds(calm.create, 0.5)}; whole payment ${milliseconds(calm.whole, 0.5)}`,
  )
  console.log(
    `payments: ${all('orders').length}; order: median ${milliseconds(all('create'), 0.5)}, 95 % ${milliseconds(all('create'), 0.95)}; whole payment: median ${milliseconds(all('whole'), 0.5)}`,
  )
  console.log(
    `calls of payers refused and sent again: ${sum('refused')}; broken connections: ${sum('faults')}`,
  )
  console.log(`resident memory: ${Math.round(memoryBefore)} MiB before, ${Math.round(memory)} MiB at most`)
  console.log(`orders that were acknowledged and are not paid: ${lost.length}`)
  process.exitCode = lost.length === 0 ? 0 : 1
} finally {
  halfOpen?.end()
  await cabinet.end()
  cabinet.remove()
}
