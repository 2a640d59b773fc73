// Runs the release binary for the benchmarks and drills and fills it with orders; and what several of them need.

import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'

/** The sandbox's notary with a history. */
export const PHONE = '+380501112233'
export const ADDRESS_HEADER = 'x-bench-address'

/** A client who is known nowhere yet. */
const CLIENT = { inn: '3184710691', full_name: 'Коваленко Марія Петрівна' }

/** The exit code of a measurement. With QUICK=1 it only shows that it still works, so no limit is judged. */
export const verdict = (isReached) => (isReached || process.env.QUICK === '1' ? 0 : 1)

/** Returns the time below which a share of the times is; NaN for none. */
export const quantile = (times, share) =>
  times.toSorted((one, other) => one - other)[Math.floor((times.length - 1) * share)] ?? Number.NaN

/** Returns the median: the mean of the two in the middle where their number is even; NaN for none. */
export function median(numbers) {
  const sorted = numbers.toSorted((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** Returns a payment by requisites as `/cart/add` takes it. */
export async function requisitesPayment(cabinet, token) {
  const { payment_types } = await cabinet.call('/payment-types', undefined, token)
  return {
    client: CLIENT,
    payment_type_id: payment_types.find((one) => one.slug === 'requisites_payment').id,
    amount: 340.5,
    iban: 'UA213223130000026007233566001',
    okpo: '37193071',
    recipient_name: 'ТОВ «Приклад»',
    purpose: `За послуги, ${CLIENT.full_name}, код ${CLIENT.inn}`,
  }
}

/** Returns the phone of the account with this number. */
export const phoneOf = (number) => `+38067${String(number).padStart(7, '0')}`

export async function freePort() {
  const server = createServer()
  await new Promise((done, failed) => server.once('error', failed).listen(0, '127.0.0.1', done))
  const { port } = server.address()
  await new Promise((done) => server.close(done))
  return port
}

/** A cabinet with a data folder. `start` returns the milliseconds until the first 200. */
export class Cabinet {
  constructor(binary, folder, port, sandboxPort, databaseUrl) {
    this.binary = binary
    this.folder = folder
    this.url = `http://127.0.0.1:${port}`
    this.sandbox = `http://127.0.0.1:${sandboxPort}`
    this.port = port
    this.sandboxPort = sandboxPort
    this.database = join(folder, 'cabinet.sqlite')
    this.databaseUrl = databaseUrl ?? `sqlite:${this.database}`
  }

  /** `databaseUrl` names an empty database of PostgreSQL; without it the cabinet has a new SQLite file. */
  static async make(binary, databaseUrl) {
    return new Cabinet(
      binary,
      mkdtempSync(join(tmpdir(), 'cabinet-bench-')),
      await freePort(),
      await freePort(),
      databaseUrl,
    )
  }

  /** `own` are settings of this process alone. */
  async start(own = {}) {
    const began = performance.now()
    this.process = spawn(this.binary, ['serve', '--sandbox'], {
      cwd: this.folder,
      env: {
        PATH: process.env.PATH,
        CABINET_LISTEN: `127.0.0.1:${this.port}`,
        CABINET_SANDBOX_LISTEN: `127.0.0.1:${this.sandboxPort}`,
        CABINET_PUBLIC_URL: this.url,
        // Measured are notaries who may order.
        CABINET_SIGN_UP_CONFIRMATION: 'none',
        CABINET_ACCOUNTS_YOUNG_DAYS: '0',
        CABINET_ACCOUNTS_DECLINES_HOURLY_MAX: '10000',
        CABINET_DATABASE_URL: this.databaseUrl,
        // Accounts are created from many addresses, so that the limits of one address are not reached.
        CABINET_CLIENT_ADDRESS_HEADER: ADDRESS_HEADER,
        ...own,
      },
      stdio: ['ignore', 'ignore', 'ignore'],
    })
    for (;;) {
      try {
        const answer = await fetch(`${this.url}/readyz`)
        if (answer.ok) return performance.now() - began
      } catch {
        // Not listening yet.
      }
      if (this.process.exitCode !== null) throw new Error('the cabinet ended before it was ready')
      await pause(1)
    }
  }

  async stop() {
    const ended = new Promise((done) => this.process.once('exit', done))
    this.process.kill('SIGTERM')
    await ended
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** Returns the resident memory in MiB. */
  memory() {
    const status = readFileSync(`/proc/${this.process.pid}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)[1]) / 1024
  }

  async call(path, body, token, headers = {}) {
    const answer = await fetch(`${this.url}/api${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        'content-type': 'application/json',
        // Logins are refused where the proxy tells no address.
        [ADDRESS_HEADER]: '10.255.0.1',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`)
    return JSON.parse(text)
  }

  /** Returns the last code that was sent to a phone. */
  async code(phone) {
    for (;;) {
      const messages = await (
        await fetch(`${this.sandbox}/sandbox/messages?phone=${encodeURIComponent(phone)}`)
      ).json()
      const code = /(?<!\d)\d{4}(?!\d)/.exec(messages[0]?.text ?? '')?.[0]
      if (code !== undefined) return code
      await pause(5)
    }
  }

  async logIn(phone) {
    const { operation_id } = await this.call('/auth/login', { phone })
    const otp_code = await this.code(phone)
    return (await this.call('/auth/login/otp', { phone, otp_code, operation_id })).access_token
  }

  /** Creates an account and signs it in. */
  async signUp(number) {
    const phone = phoneOf(number)
    const from = { [ADDRESS_HEADER]: `10.${Math.floor(number / 250)}.${(number % 250) + 1}.1` }
    const wish = {
      phone,
      full_name: 'Шевченко Оксана Іванівна',
      registry_identifier: 'NOTAR777',
      is_agreed: true,
    }
    const started = await this.call('/auth/sign-up', wish, undefined, from)
    const proof = { otp_code: await this.code(phone), operation_id: started.operation_id }
    return (await this.call('/auth/sign-up/verify', proof, started.access_token, from)).access_token
  }
}

/** Writes copies of a notary's paid orders into the database file, a minute apart, up to the given number. */
export function seedOrders(database, phone, count) {
  const file = new DatabaseSync(database)
  try {
    const columns = (table) =>
      file
        .prepare('select name from pragma_table_info(?)')
        .all(table)
        .map((one) => one.name)
    const copy = (table, changed) =>
      columns(table)
        .map((name) => changed[name] ?? `t.${name}`)
        .join(', ')
    const { id: notary } = file.prepare('select id from notaries where phone = ?').get(phone)
    const { id: order, present } = file
      .prepare(
        "select id, (select count(*) from orders where notary_id = ?1) as present from orders where notary_id = ?1 and status = 'paid' limit 1",
      )
      .get(notary)
    file.exec('begin; create temp table made (n integer primary key, order_id blob, item_id blob)')
    file
      .prepare(
        'with recursive counted(n) as (select 1 union all select n + 1 from counted where n < ?) insert into made select n, randomblob(16), randomblob(16) from counted',
      )
      .run(Math.max(1, count - present))
    file
      .prepare(
        `insert into orders select ${copy('orders', {
          id: 'm.order_id',
          number: '(select max(number) from orders) + m.n',
          created_at: 't.created_at - m.n * 60000000',
          idempotency_key: "'bench-' || m.n",
        })} from made m, orders t where t.id = ?`,
      )
      .run(order)
    file
      .prepare(
        `insert into order_items select ${copy('order_items', {
          id: 'm.item_id',
          order_id: 'm.order_id',
        })} from made m, order_items t where t.order_id = ? and t.position = 1`,
      )
      .run(order)
    file.exec('drop table made; commit; analyze')
  } finally {
    file.close()
  }
}
