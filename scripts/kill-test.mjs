// Kills the cabinet at random moments under load and compares what is left with the acquirer's own books.
//
//   node scripts/kill-test.mjs --binary PATH [--database sqlite|postgres] [--kills N] [--seed S] [--clients N] [--keep]
//
// The sandbox lives in a process of its own, so it goes on while the cabinet is down. Between the two stands a relay in this
// program: it makes the payment pages' addresses https, which a cabinet without --sandbox insists on, and can kill the cabinet
// in the middle of a call to the acquirer. docs/testing.md says what is compared at the end.

import { execFile, execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { appendFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer, request as httpRequest } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'

const run = promisify(execFile)

const { values: options } = parseArgs({
  options: {
    binary: { type: 'string' },
    database: { type: 'string', default: 'sqlite' },
    kills: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    clients: { type: 'string', default: '12' },
    keep: { type: 'boolean', default: false },
  },
})
const KILLS = Number(options.kills)
const SEED = Number(options.seed)
const CLIENTS = Number(options.clients)
const IS_POSTGRES = options.database === 'postgres'
if (!options.binary || !['sqlite', 'postgres'].includes(options.database)) {
  console.error('usage: kill-test.mjs --binary PATH [--database sqlite|postgres] [--kills N] [--seed S] [--clients N] [--keep]')
  process.exit(64)
}
const BINARY = resolve(options.binary)

const NOTARIES = 6
const CLOCKS = [-3600, -1200, -600, 600, 1200, 3600]
/** One start in so many has a wrong clock. */
const CLOCK_ODDS = 8
/** One kill in so many comes in the middle of a call to the acquirer. */
const ARMED_ODDS = 3
/** One start in so many comes with a fault of the outside world. */
const FAULT_ODDS = 4
const UP_MILLISECONDS_MAX = 2_500
const CALL_MILLISECONDS_MAX = 30_000
const PAYS = '4242424242424242'
const PAYS_SLOWLY = '4000000000000259'
const DECLINED = '4000000000000002'
const ADDRESS_HEADER = 'x-test-address'

// Chance: the same seed makes the same choices. What they meet in the running programs is another matter.

function chance(seed) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const below = (limit) => Math.floor(next() * limit)
  return { below, between: (from, to) => from + below(to - from), oneIn: (odds) => below(odds) === 0, of: (list) => list[below(list.length)] }
}

// What happened, for the table and the comparison.

const seen = {
  items: new Map(),
  orders: new Map(),
  paid: new Map(),
  restores: [],
  refusals: new Map(),
  faults: new Map(),
  deaths: [],
  payers: new Map(),
}
const count = (map, key) => map.set(key, (map.get(key) ?? 0) + 1)
/** Whether something acknowledged at this moment may have gone with a copy that was put back. */
const mayBeLost = (at) => seen.restores.some((restore) => at >= restore.copyBegan && at <= restore.restored)

/** The cabinet went away in the middle of a call. */
class Gone extends Error {}

const home = mkdtempSync(join(tmpdir(), 'kill-test-'))
const note = (text) => appendFileSync(join(home, 'test.log'), `${new Date().toISOString()} ${text}\n`)

let lastPort = 26_000 + (process.pid % 5_000)
async function freePort() {
  lastPort += 1
  const port = lastPort
  const server = createServer()
  const isFree = await new Promise((done) => {
    server.once('error', () => done(false))
    server.listen(port, '127.0.0.1', () => done(true))
  })
  if (!isFree) return freePort()
  await new Promise((done) => server.close(done))
  return port
}

async function answers(url) {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(1_000) })).ok
  } catch {
    return false
  }
}

// The outside world.

const sandbox = {
  async start() {
    const folder = join(home, 'sandbox')
    mkdirSync(folder)
    const [port, own] = [await freePort(), await freePort()]
    this.port = port
    this.url = `http://127.0.0.1:${port}`
    const log = openSync(join(home, 'sandbox.log'), 'a')
    this.process = spawn(BINARY, ['serve', '--sandbox'], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        CABINET_LISTEN: `127.0.0.1:${own}`,
        CABINET_SANDBOX_LISTEN: `127.0.0.1:${port}`,
        CABINET_DATABASE_URL: `sqlite:${join(folder, 'cabinet.sqlite')}`,
        CABINET_LOG: 'warn',
      },
      stdio: ['ignore', log, log],
    })
    while (!(await answers(`http://127.0.0.1:${own}/readyz`))) {
      if (this.process.exitCode !== null) throw new Error('the sandbox ended before it was ready')
      await pause(50)
    }
  },
  async call(path, method = 'GET', body) {
    const answer = await fetch(`${this.url}/sandbox${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? null : JSON.parse(text) }
  },
  messages(phone) {
    return this.call(`/messages?phone=${encodeURIComponent(phone)}`).then(({ body }) => body)
  },
  /** What the payer does on the page. Two at once are two tabs of the payer. */
  async pay(page, card, save = false) {
    const invoice = new URL(page).pathname.split('/').findLast((part) => part !== '')
    const { status, body } = await this.call(`/invoices/${invoice}/pay`, 'POST', { card, save_card: save })
    count(seen.payers, status === 200 ? body.status : `refused ${status}`)
  },
}

/** Stands between the cabinet and the acquirer. */
const relay = {
  armed: null,
  /** The acquirer's clock runs ahead by so much at the end, when hours pass at once. */
  aheadSeconds: 0,
  async start() {
    this.port = await freePort()
    const server = createHttpServer((request, answer) => {
      const isPayment = request.method === 'POST' && /invoice\/create|wallet\/payment|invoice\/remove/.test(request.url)
      const armed = isPayment ? this.armed : null
      if (armed) this.armed = null
      if (armed?.when === 'before') {
        armed.kill()
        request.socket.destroy()
        return
      }
      const forward = httpRequest(
        { host: '127.0.0.1', port: sandbox.port, method: request.method, path: request.url, headers: request.headers },
        (reply) => {
          const parts = []
          reply.on('data', (part) => parts.push(part))
          reply.on('error', () => answer.destroy())
          reply.on('end', () => {
            if (armed?.when === 'after') {
              armed.kill()
              answer.destroy()
              return
            }
            const own = `http://127.0.0.1:${sandbox.port}/`
            const body = Buffer.from(Buffer.concat(parts).toString().replaceAll(own, own.replace('http:', 'https:')))
            const headers = { ...reply.headers, 'content-length': String(body.length) }
            delete headers['transfer-encoding']
            if (headers.date) headers.date = new Date(Date.parse(headers.date) + this.aheadSeconds * 1000).toUTCString()
            answer.writeHead(reply.statusCode, headers)
            answer.end(body)
            if (armed?.when === 'answered') setTimeout(armed.kill, armed.late)
          })
        },
      )
      forward.on('error', () => answer.destroy())
      request.on('error', () => forward.destroy())
      answer.on('close', () => forward.destroy())
      request.pipe(forward)
    })
    server.keepAliveTimeout = 60_000
    await new Promise((done) => server.listen(this.port, '127.0.0.1', done))
    server.unref()
  },
}

// The database, its copies included.

const database = {
  file: join(home, 'cabinet.sqlite'),
  copyFile: join(home, 'copy.sqlite'),
  start() {
    if (!IS_POSTGRES) {
      this.url = `sqlite:${this.file}`
      return
    }
    const admin = process.env.CABINET_TEST_POSTGRES
    if (!admin) throw new Error('CABINET_TEST_POSTGRES names no server: run this by scripts/kill-test')
    this.admin = admin
    this.name = `kills_${process.pid}`
    this.url = admin.replace('/postgres?', `/${this.name}?`)
    this.sql(`create database ${this.name}`)
  },
  sql(...statements) {
    execFileSync('psql', ['-qX', '-v', 'ON_ERROR_STOP=1', this.admin, ...statements.flatMap((text) => ['-c', text])], { stdio: ['ignore', 'ignore', 'pipe'] })
  },
  /** SQLite is copied while the cabinet is at work, PostgreSQL while it is down. */
  async copy() {
    const copyBegan = Date.now()
    if (IS_POSTGRES) {
      await server.kill()
      this.sql(
        `drop database if exists ${this.name}_copy`,
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${this.name}'`,
      )
      await pause(200)
      this.sql(`create database ${this.name}_copy template ${this.name}`)
      await server.start(0)
    } else {
      rmSync(this.copyFile, { force: true })
      await server.command('backup', this.copyFile)
    }
    note('the database was copied')
    return copyBegan
  },
  /** Puts the copy back; the cabinet is down. */
  async restore(copyBegan) {
    if (IS_POSTGRES) {
      this.sql(`drop database ${this.name} with (force)`)
      this.sql(`create database ${this.name} template ${this.name}_copy`)
    } else {
      for (const end of ['', '-wal', '-shm']) rmSync(this.file + end, { force: true })
      cpSync(this.copyFile, this.file)
    }
    seen.restores.push({ copyBegan, restored: Date.now() })
    note('an older copy of the database was put back')
  },
}

// The cabinet under test.

const server = {
  generation: 0,
  starts: 0,
  async prepare() {
    this.port = await freePort()
    this.url = `http://127.0.0.1:${this.port}`
    writeFileSync(join(home, 'offer.txt'), 'The offer of the test.\n')
    // The starter tables, with their accounts passed off as true ones: nothing is paid to them here.
    const tables = join(home, 'reference-data')
    mkdirSync(tables)
    const starter = resolve(import.meta.dirname, '../reference-data')
    for (const name of readdirSync(starter).filter((one) => one.endsWith('.csv'))) {
      const rows = readFileSync(join(starter, name), 'utf8')
      const isWithAccounts = name === 'requisites.csv' || name === 'templates.csv'
      writeFileSync(join(tables, name), isWithAccounts ? rows.replaceAll(/,yes(\r?)$/gm, ',no$1') : rows)
    }
    this.closeGate()
    await this.command('migrate')
    await this.command('reference', 'load', tables)
  },
  environment() {
    return {
      PATH: process.env.PATH,
      CABINET_LISTEN: `127.0.0.1:${this.port}`,
      CABINET_DATABASE_URL: database.url,
      CABINET_SECRET_KEY: 'a-key-of-the-kill-test-worth-nothing',
      CABINET_CLIENT_ADDRESS_HEADER: ADDRESS_HEADER,
      CABINET_ACQUIRER_BASE_URL: `http://127.0.0.1:${relay.port}`,
      CABINET_ACQUIRER_TOKEN: 'sandbox-acquirer-token',
      CABINET_ACQUIRER_PAGE_HOSTS: `127.0.0.1:${sandbox.port}`,
      CABINET_SMS_BASE_URL: sandbox.url,
      CABINET_SMS_TOKEN: 'sandbox-sms-token',
      CABINET_SMS_SENDER: 'Cabinet',
      CABINET_SESSIONS_IDLE_MINUTES: '43200',
      CABINET_SESSIONS_ABSOLUTE_MINUTES: '43200',
      CABINET_OPERATOR_NAME: 'ТОВ «Кабінет»',
      CABINET_OPERATOR_CODE: '32855961',
      CABINET_OPERATOR_IBAN: 'UA223052990000026001234567890',
      CABINET_OPERATOR_ADDRESS: 'м. Київ, вул. Перша, 1',
      CABINET_SUPPORT_EMAIL: 'support@cabinet.example',
      CABINET_SUPPORT_PHONE: '0 800 000 000',
      CABINET_OFFER_FILE_UK: join(home, 'offer.txt'),
      CABINET_OFFER_FILE_EN: join(home, 'offer.txt'),
    }
  },
  /** Runs one of the operator's commands; answers what it prints, whatever its exit code. */
  async command(...words) {
    try {
      const { stdout } = await run(BINARY, words, { env: this.environment(), maxBuffer: 1 << 28 })
      return { code: 0, text: stdout }
    } catch (error) {
      if (typeof error.code !== 'number' || !['doctor', 'alarms'].includes(words[0])) throw error
      return { code: error.code, text: `${error.stdout}${error.stderr}` }
    }
  },
  closeGate() {
    // Clients may wait at a closed one already.
    if (this.openGate) return
    this.isUp = new Promise((open) => {
      this.openGate = open
    })
  },
  /** `clock` is what libfaketime is told: seconds ahead or behind, or that and a speed. */
  async start(clock) {
    this.generation += 1
    this.starts += 1
    const log = openSync(join(home, 'cabinet.log'), 'a')
    const isTrue = clock === 0
    const faked = isTrue
      ? {}
      : { LD_PRELOAD: fakeTimeLibrary(), FAKETIME: typeof clock === 'number' ? `${clock > 0 ? '+' : ''}${clock}` : clock, ...(typeof clock === 'number' ? { FAKETIME_DONT_FAKE_MONOTONIC: '1' } : {}) }
    const started = spawn(BINARY, ['serve'], { cwd: home, env: { ...this.environment(), ...faked }, stdio: ['ignore', log, log] })
    this.process = started
    const ended = new Promise((done) => started.once('exit', (code, signal) => done({ code, signal })))
    this.ended = ended
    started.isWanted = true
    void ended.then(({ code, signal }) => {
      if (started.isWanted) seen.deaths.push(`start ${this.starts}: code ${code}, signal ${signal}`)
    })
    const deadline = Date.now() + 30_000
    while (!(await answers(`${this.url}/readyz`))) {
      if (started.exitCode !== null) throw new Error(`the cabinet did not start (code ${started.exitCode}); see ${home}/cabinet.log`)
      if (started.signalCode !== null) return false
      if (Date.now() > deadline) throw new Error(`the cabinet is not ready after 30 s; see ${home}/cabinet.log`)
      await pause(20)
    }
    this.openGate()
    this.openGate = undefined
    return true
  },
  /** As a power cut would: nothing is finished. */
  async kill() {
    this.process.isWanted = false
    this.closeGate()
    this.process.kill('SIGKILL')
    await this.ended
  },
}

function fakeTimeLibrary() {
  const folders = readdirSync('/usr/lib', { withFileTypes: true }).filter((one) => one.isDirectory()).map((one) => join('/usr/lib', one.name))
  const file = folders.map((folder) => join(folder, 'faketime/libfaketimeMT.so.1')).find(existsSync)
  if (!file) throw new Error('libfaketime is not installed')
  return file
}

// The notaries.

let typeOfRequisites
class Notary {
  constructor(number) {
    this.number = number
    this.phone = `+38067${String(1_000_000 + SEED * 97 + number).slice(-7).padStart(7, '0')}`
    this.entries = 0
  }

  async fetch(method, path, { body, headers = {}, signal } = {}) {
    await server.isUp
    this.entries += 1
    const limit = AbortSignal.timeout(CALL_MILLISECONDS_MAX)
    try {
      const answer = await fetch(`${server.url}/api${path}`, {
        method,
        headers: {
          'content-type': 'application/json',
          [ADDRESS_HEADER]: `10.${this.number}.${(this.entries >> 8) & 255}.${this.entries & 255}`,
          ...headers,
        },
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      return { status: answer.status, body: text === '' ? null : JSON.parse(text), headers: answer.headers }
    } catch (error) {
      throw new Gone(String(error))
    }
  }

  keep(answer) {
    this.access = answer.body.access_token
    const cookie = answer.headers.getSetCookie().map((text) => /^refresh_token=([^;]+)/.exec(text)?.[1]).find(Boolean)
    if (cookie) this.refresh = cookie
  }

  async codeAfter(act) {
    const before = (await sandbox.messages(this.phone)).length
    const answer = await act()
    if (answer.status >= 300) return { answer }
    for (let tries = 0; tries < 100; tries += 1) {
      const messages = await sandbox.messages(this.phone)
      const code = messages.length > before ? /(?<!\d)\d{4}(?!\d)/.exec(messages[0].text)?.[0] : undefined
      if (code) return { answer, code }
      await pause(50)
    }
    return { answer: { status: 599, body: null } }
  }

  async signUp() {
    const wish = { phone: this.phone, full_name: 'Шевченко Оксана Іванівна', registry_identifier: 'NOTAR777', is_agreed: true }
    const { answer, code } = await this.codeAfter(() => this.fetch('POST', '/auth/sign-up', { body: wish }))
    if (!code) throw new Error(`no sign-up: ${answer.status} ${JSON.stringify(answer.body)}`)
    const opened = await this.fetch('POST', '/auth/sign-up/verify', {
      body: { otp_code: code, operation_id: answer.body.operation_id },
      headers: { authorization: `Bearer ${answer.body.access_token}` },
    })
    if (opened.status !== 200) throw new Error(`no sign-up: ${opened.status} ${JSON.stringify(opened.body)}`)
    this.keep(opened)
  }

  /** A new access token: by the session, or by a new login. One call at a time. */
  enter() {
    this.entering ??= this.enterNow().finally(() => {
      this.entering = undefined
    })
    return this.entering
  }

  async enterNow() {
    for (;;) {
      try {
        const refreshed = await this.fetch('POST', '/auth/refresh', { headers: { authorization: `Bearer ${this.refresh}` } })
        if (refreshed.status === 200) return this.keep(refreshed)
        const { answer, code } = await this.codeAfter(() => this.fetch('POST', '/auth/login', { body: { phone: this.phone } }))
        if (code) {
          const body = { phone: this.phone, otp_code: code, operation_id: answer.body.operation_id }
          const opened = await this.fetch('POST', '/auth/login/otp', { body })
          if (opened.status === 200) {
            count(seen.refusals, '(signed in anew)')
            return this.keep(opened)
          }
        }
        note(`${this.phone} can't enter: ${refreshed.status}, ${answer.status} ${JSON.stringify(answer.body)}`)
        await pause(3_000)
      } catch (error) {
        if (!(error instanceof Gone)) throw error
        await pause(50)
      }
    }
  }

  /** One call of a signed-in page. */
  async call(method, path, wish = {}) {
    for (let tries = 0; ; tries += 1) {
      const answer = await this.fetch(method, path, { ...wish, headers: { ...wish.headers, authorization: `Bearer ${this.access}` } })
      if (answer.status >= 500) note(`${method} ${path.replace(/\?.*/, '')}: ${answer.status} ${JSON.stringify(answer.body)}`)
      if (answer.status >= 400 && answer.status !== 401) count(seen.refusals, `${answer.status} ${answer.body?.message ?? answer.body?.key ?? JSON.stringify(answer.body).slice(0, 80)}`)
      if (answer.status !== 401 || tries === 3) return answer
      await this.enter()
    }
  }

  /** The same until there is an answer: what a page does that was told nothing. The caller's key makes it safe. */
  async insist(method, path, wish) {
    for (let tries = 0; tries < 30; tries += 1) {
      try {
        const answer = await this.call(method, path, wish)
        if (answer.status < 500 && answer.status !== 429) return answer
        await pause(200)
      } catch (error) {
        if (!(error instanceof Gone)) throw error
      }
    }
    return { status: 599, body: null }
  }
}

/** A tax id with its right check digit. */
function taxId(random) {
  const digits = String(random.between(20_000, 38_000)).padStart(5, '0') + String(random.below(10_000)).padStart(4, '0')
  const sum = [-1, 5, 7, 9, 4, 6, 10, 5, 7].reduce((all, weight, place) => all + weight * Number(digits[place]), 0)
  return digits + ((((sum % 11) + 11) % 11) % 10)
}

// What notaries and payers do.

const quietly = (promise) => promise.catch((error) => {
  if (!(error instanceof Gone)) note(`a step failed: ${error.stack}`)
})

async function fillGroup(notary, random) {
  const inn = taxId(random)
  const body = {
    client: { inn, full_name: 'Коваленко Марія Петрівна' },
    payment_type_id: typeOfRequisites,
    amount: random.between(100, 90_000) / 100,
    iban: 'UA213223130000026007233566001',
    okpo: '37193071',
    recipient_name: 'ТОВ «Приклад»',
    purpose: `За послуги, код ${inn}`,
  }
  for (let items = random.between(1, 4); items > 0; items -= 1) {
    const added = await notary.insist('POST', '/cart/add', { body, headers: { 'idempotency-key': randomUUID() } })
    if (added.status === 200) seen.items.set(added.body.item_id, { notary, at: Date.now() })
  }
  const cart = await notary.insist('GET', '/cart')
  return cart.body?.groups?.find((group) => group.client.inn === inn)?.client.id
}

function acknowledge(notary, order) {
  const known = seen.orders.get(order.id)
  if (!known) seen.orders.set(order.id, { id: order.id, number: order.number, sum: order.sum, notary, at: Date.now() })
  if (order.status === 'paid' && !seen.paid.has(order.id)) seen.paid.set(order.id, { at: Date.now() })
  return order
}

async function order(notary, client, more = {}, signal) {
  const wish = { body: { client_id: client, locale: 'uk', ...more }, headers: { 'idempotency-key': randomUUID() } }
  if (signal) {
    // The tab is closed in the middle, and what it asked for goes on or not.
    await quietly(notary.call('POST', '/order/create', { ...wish, signal }))
  }
  const made = await notary.insist('POST', '/order/create', wish)
  return made.status === 200 ? acknowledge(notary, made.body.order) : undefined
}

async function look(notary, id) {
  const answer = await notary.insist('GET', `/order/${id}?update_status=1`)
  return answer.status === 200 ? acknowledge(notary, answer.body.order) : undefined
}

async function link(notary, id) {
  const answer = await notary.insist('GET', `/order/${id}/update/pay-link`)
  return answer.status === 200 ? answer.body.widget_url : undefined
}

async function follow(notary, id, random) {
  for (let looks = random.between(1, 5); looks > 0; looks -= 1) {
    const now = await look(notary, id)
    if (!now || now.status === 'paid') return now
    await pause(random.between(20, 400))
  }
}

async function card(notary, random) {
  const saved = await notary.insist('GET', '/order/token/get-all-tokens-by-phone')
  const one = saved.body?.tokens?.length ? random.of(saved.body.tokens) : undefined
  return one ? { token_id: one.Token, pan: one.MaskPan } : undefined
}

/** A link asked for, and paid by whatever came. */
async function payByLink(notary, id, random, number = PAYS) {
  const page = await link(notary, id)
  await pause(random.below(200))
  if (page) await sandbox.pay(page, number)
}

const WAYS = {
  async savedCard(notary, client, random) {
    const made = await order(notary, client, await card(notary, random))
    if (made) await follow(notary, made.id, random)
  },
  async page(notary, client, random) {
    const made = await order(notary, client)
    if (!made?.widget_url) return
    await pause(random.below(800))
    await sandbox.pay(made.widget_url, random.of([PAYS, PAYS_SLOWLY]))
    await follow(notary, made.id, random)
  },
  async declinedThenPaid(notary, client, random) {
    const made = await order(notary, client)
    if (!made?.widget_url) return
    await sandbox.pay(made.widget_url, DECLINED)
    await follow(notary, made.id, random)
    if (random.oneIn(2)) await sandbox.pay(made.widget_url, PAYS)
    await payByLink(notary, made.id, random)
    await follow(notary, made.id, random)
  },
  async linkWhileInFlight(notary, client, random) {
    const made = await order(notary, client)
    if (!made?.widget_url) return
    if (random.oneIn(2)) await sandbox.pay(made.widget_url, DECLINED)
    const late = random.below(300)
    await Promise.all([
      pause(late).then(() => sandbox.pay(made.widget_url, random.of([PAYS, PAYS_SLOWLY]))),
      payByLink(notary, made.id, random),
      pause(random.below(300)).then(() => payByLink(notary, made.id, random)),
    ])
    await follow(notary, made.id, random)
  },
  async twoTabs(notary, client, random) {
    const means = random.oneIn(2) ? await card(notary, random) : {}
    const made = (await Promise.all([order(notary, client, means), order(notary, client)])).filter(Boolean)
    await Promise.all(
      made.flatMap((one) => [
        ...(one.widget_url ? [sandbox.pay(one.widget_url, PAYS)] : []),
        payByLink(notary, one.id, random),
        payByLink(notary, one.id, random),
      ]),
    )
    for (const one of made) await follow(notary, one.id, random)
  },
  async cardThenPage(notary, client, random) {
    const closed = AbortSignal.timeout(random.between(1, 300))
    const made = await order(notary, client, await card(notary, random), closed)
    if (!made) return
    for (let tries = random.between(1, 4); tries > 0; tries -= 1) await payByLink(notary, made.id, random)
    await follow(notary, made.id, random)
  },
  /** An order of the archive that does not look paid; what was put into the cart waits there. */
  async fromTheArchive(notary, _client, random) {
    const listed = await notary.insist('GET', `/order?limit=30&status=${random.of(['failed', 'pending', 'expired'])}`)
    if (!listed.body?.orders?.length) return
    const { id } = random.of(listed.body.orders)
    await payByLink(notary, id, random)
    await follow(notary, id, random)
  },
  async leftAlone(notary, client, random) {
    const closed = AbortSignal.timeout(random.between(1, 200))
    await order(notary, client, {}, closed)
  },
}
const WEIGHTED = ['savedCard', 'savedCard', 'page', 'page', 'declinedThenPaid', 'linkWhileInFlight', 'linkWhileInFlight', 'twoTabs', 'twoTabs', 'cardThenPage', 'cardThenPage', 'fromTheArchive', 'leftAlone']

let isEnding = false
async function client(number, notaries) {
  const random = chance(SEED * 1_000 + number)
  const notary = notaries[number % notaries.length]
  while (!isEnding) {
    try {
      const group = await fillGroup(notary, random)
      if (group) await WAYS[random.of(WEIGHTED)](notary, group, random)
      else await pause(200)
    } catch (error) {
      if (!(error instanceof Gone)) note(`a client failed: ${error.stack}`)
    }
  }
}

const FAULTS = [
  { service: 'acquirer', kind: 'timeout_after', path: 'wallet/payment' },
  { service: 'acquirer', kind: 'reset', path: 'wallet/payment' },
  { service: 'acquirer', kind: 'reset', path: 'invoice/create' },
  { service: 'acquirer', kind: 'status_500', path: 'invoice/create', effect: true },
  { service: 'acquirer', kind: 'status_500', path: 'wallet/payment', effect: true },
  { service: 'acquirer', kind: 'status_429', path: 'invoice' },
  { service: 'acquirer', kind: 'delay', path: 'invoice/status', delay_ms: 700, calls: 3 },
  { service: 'acquirer', kind: 'delay', path: 'wallet/payment', delay_ms: 700, effect: true },
  { service: 'acquirer', kind: 'delay', path: 'invoice/remove', delay_ms: 500, effect: true },
  { service: 'reports', kind: 'drop', calls: 4 },
  { service: 'reports', kind: 'duplicate', calls: 3, copies: 4 },
  { service: 'reports', kind: 'reorder', calls: 2, delay_ms: 1500 },
  { service: 'reports', kind: 'forge' },
]

/** Kills the cabinet at the chosen moment: after a while, or in the middle of a call to the acquirer. */
async function killAtRandom(random) {
  const longest = random.between(80, UP_MILLISECONDS_MAX)
  let isArmed = false
  if (random.oneIn(ARMED_ODDS)) {
    isArmed = true
    await pause(random.below(300))
    const wasKilled = new Promise((done) => {
      relay.armed = { when: random.of(['before', 'after', 'answered']), late: random.below(30), kill: () => done(server.kill()) }
    })
    await Promise.race([wasKilled, pause(longest)])
    relay.armed = null
  } else {
    await pause(longest)
  }
  await server.kill()
  return isArmed
}

async function torture(random) {
  // A copy is put back while at least a few kills lie between it and its return.
  const gap = Math.max(2, Math.floor(KILLS / 30))
  const plan = new Map([
    [Math.floor(KILLS / 4), 'copy'],
    [Math.floor(KILLS / 4) + gap, 'restore'],
    [Math.floor((KILLS * 6) / 10), 'copy'],
    [Math.floor((KILLS * 6) / 10) + gap, 'restore'],
  ])
  let [kills, armed, clocks, copyBegan] = [0, 0, 0, 0]
  let clock = 0
  while (kills < KILLS) {
    if (random.oneIn(FAULT_ODDS)) {
      const fault = random.of(FAULTS)
      count(seen.faults, `${fault.service} ${fault.kind}`)
      await sandbox.call('/faults', 'PUT', fault)
    }
    if (plan.get(kills) === 'copy') copyBegan = await database.copy()
    if (await killAtRandom(random)) armed += 1
    kills += 1
    if (plan.get(kills) === 'restore') await database.restore(copyBegan)
    clock = random.oneIn(CLOCK_ODDS) ? random.of(CLOCKS) : 0
    if (clock !== 0) {
      clocks += 1
      note(`the clock is wrong by ${clock} s`)
    }
    await server.start(clock)
    if (kills % 25 === 0) console.log(`${new Date().toISOString().slice(11, 19)} ${kills} kills, ${seen.items.size} cart adds, ${seen.orders.size} orders acknowledged`)
  }
  return { kills, armed, clocks }
}

/** Hours pass at once, so that everything that is asked again later is asked again. */
async function settle() {
  await sandbox.call('/faults', 'DELETE')
  isEnding = true
  await Promise.race([Promise.all(settle.clients), pause(60_000)])
  for (const ahead of [0, 300, 1_800, 7_200, 14_400, 21_600, 28_800]) {
    await server.kill()
    relay.aheadSeconds = ahead
    await server.start(ahead)
    await pause(5_000)
  }
  // The day must be over for an hour before it is compared with the statement, and the first comparison comes ten minutes after the
  // start: the clock is put there and runs ten times as fast.
  const now = new Date()
  const tomorrow = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1, 1, 5)
  const ahead = Math.round((tomorrow - now.getTime()) / 1000)
  await server.kill()
  relay.aheadSeconds = ahead
  await server.start(`+${ahead} x10`)
  const deadline = Date.now() + 12 * 60_000
  const log = () => readFileSync(join(home, 'cabinet.log'), 'utf8')
  const compared = () => log().split('Our payments were compared').length - 1
  const before = compared()
  while (compared() < before + 31 && Date.now() < deadline) await pause(1_000)
  await pause(2_000)
  await server.kill()
  relay.aheadSeconds = ahead + 1_200
  await server.start(ahead + 1_200)
  await pause(5_000)
  return compared() - before
}

async function listing(notary) {
  const orders = []
  let before
  do {
    const page = await notary.insist('GET', `/order?limit=100${before ? `&before=${before}` : ''}`)
    if (page.status !== 200) throw new Error(`orders can't be listed: ${page.status} ${JSON.stringify(page.body)}`)
    orders.push(...page.body.orders)
    before = page.body.next
  } while (before)
  const cart = await notary.insist('GET', '/cart')
  return { orders, items: cart.body.groups.flatMap((group) => group.items) }
}

async function compare(notaries, foreign) {
  const wrong = []
  const [orders, items] = [new Map(), new Set()]
  for (const notary of notaries) {
    const listed = await listing(notary)
    for (const one of listed.orders) {
      orders.set(one.id, one)
      for (const item of one.items) items.add(item.id)
    }
    for (const item of listed.items) items.add(item.id)
  }
  const ledger = (await sandbox.call('/ledger')).body.filter((line) => !foreign.has(line.invoice_id))
  const invoices = new Map((await sandbox.call('/invoices')).body.map((one) => [one.invoice_id, one]))
  const alarms = (await server.command('alarms', 'list')).text.split('\n').filter((line) => line.includes('  '))
  const isForeign = (line) => [...foreign].some((invoice) => line.includes(`invoice:${invoice}`))
  const own = alarms.filter((line) => !isForeign(line))

  let [lostOrders, lostItems] = [0, 0]
  for (const one of seen.orders.values()) {
    const kept = orders.get(one.id)
    if (kept) {
      if (kept.number !== one.number || kept.sum !== one.sum) wrong.push(`order ${one.id} was ${one.number} for ${one.sum}, now ${kept.number} for ${kept.sum}`)
    } else if (mayBeLost(one.at)) lostOrders += 1
    else wrong.push(`acknowledged order ${one.number} (${one.id}, at ${new Date(one.at).toISOString()}) is gone`)
  }
  for (const [id, one] of seen.items) {
    if (items.has(id)) continue
    if (mayBeLost(one.at)) lostItems += 1
    else wrong.push(`acknowledged item ${id} (at ${new Date(one.at).toISOString()}) is neither in a cart nor in an order`)
  }
  const numbers = new Map()
  for (const one of [...seen.orders.values(), ...orders.values()]) {
    const other = numbers.get(one.number)
    if (other && other !== one.id) wrong.push(`order number ${one.number} was given to ${other} and ${one.id}`)
    numbers.set(one.number, one.id)
  }

  const standing = new Map()
  const charges = ledger.filter((line) => line.kind === 'charge').length
  for (const line of ledger) standing.set(line.invoice_id, (standing.get(line.invoice_id) ?? 0) + (line.kind === 'charge' ? line.amount : -line.amount))
  const byOrder = new Map()
  for (const [invoice, amount] of standing) {
    if (amount === 0) continue
    const id = /\/order\/([^/]+)\/payment-status/.exec(invoices.get(invoice)?.redirect_url ?? '')?.[1]
    if (!id) wrong.push(`the charge of invoice ${invoice} names no order`)
    else byOrder.set(id, [...(byOrder.get(id) ?? []), { invoice, amount, at: Date.parse(invoices.get(invoice).created_at) }])
  }
  const isAlarmed = (charge) => own.some((line) => line.includes('statement_unknown_payment') && line.includes(charge.invoice))
  // The copy does not know of an invoice that was made after it and may give a second page; once both are paid, somebody is told.
  const isForgotten = (charge) => mayBeLost(charge.at)
  const isToldTwice = (number) => own.some((line) => line.includes('charged_twice') && line.includes(`order ${number},`))
  const [double, beyondCopy] = [[], []]
  let [chargesOfLost, alarmed] = [0, 0]
  for (const [id, all] of byOrder) {
    const kept = orders.get(id)
    const told = all.map((one) => `${one.invoice} (${one.amount})`).join(', ')
    const known = all.filter((one) => !isForgotten(one))
    if (known.length > 1) double.push(`order ${kept?.number ?? 'lost'} ${id} is charged ${known.length} times: ${told}`)
    if (!kept) {
      chargesOfLost += all.length
      alarmed += all.filter(isAlarmed).length
      if (!all.every((one) => mayBeLost(seen.orders.get(id)?.at ?? one.at))) wrong.push(`charged order ${id} is gone: ${told}`)
      continue
    }
    if (known.length < all.length) beyondCopy.push(`order ${kept.number} ${id}, ${kept.status}, charged ${all.length} times: ${told}`)
    if (all.length > 1 && !isToldTwice(kept.number)) wrong.push(`order ${kept.number} is charged ${all.length} times and has no alarm: ${told}`)
    if (kept.status !== 'paid') wrong.push(`order ${kept.number} ${id} is ${kept.status} (${kept.payment_state}) and charged: ${told}`)
    else if (all.length === 1 && all[0].amount !== Math.round(kept.sum * 100)) wrong.push(`order ${kept.number} costs ${kept.sum}, charged: ${told}`)
  }
  wrong.push(...double)
  if (alarmed < chargesOfLost) wrong.push(`${chargesOfLost - alarmed} charges of orders that are gone have no alarm`)
  for (const one of orders.values()) {
    const charges = byOrder.get(one.id) ?? []
    if (one.status === 'paid' && charges.length === 0) wrong.push(`order ${one.number} ${one.id} is paid without a charge`)
    if (one.status === 'in_progress') wrong.push(`order ${one.number} ${one.id} has no outcome yet (${one.payment_state})`)
    if (seen.paid.has(one.id) && one.status !== 'paid') wrong.push(`order ${one.number} ${one.id} was shown as paid and is ${one.status}`)
  }
  const doctor = await server.command('doctor', '--full')
  if (doctor.code !== 0) wrong.push(`cabinet doctor --full: code ${doctor.code}`)
  const byStatus = new Map()
  for (const one of orders.values()) count(byStatus, one.status)
  const byAlarm = new Map()
  for (const line of own) count(byAlarm, line.split(/ {2}/)[1])
  return { wrong, orders: orders.size, byStatus, charges, double: double.length, beyondCopy, lostOrders, lostItems, chargesOfLost, alarmed, doctor, alarms: own, byAlarm, foreignAlarms: alarms.length - own.length }
}

const list = (map) => [...map].map(([key, many]) => `${key} ${many}`).sort().join(', ') || 'none'

async function main() {
  const began = Date.now()
  const random = chance(SEED)
  console.log(`Everything is in ${home}`)
  await sandbox.start()
  await relay.start()
  database.start()
  await server.prepare()
  await server.start(0)
  // What the sandbox's own demonstration has charged is nobody's here.
  const foreign = new Set((await sandbox.call('/ledger')).body.map((line) => line.invoice_id))
  const notaries = Array.from({ length: NOTARIES }, (_, number) => new Notary(number + 1))
  for (const notary of notaries) {
    await notary.signUp()
    const types = await notary.insist('GET', '/payment-types')
    typeOfRequisites ??= types.body.payment_types.find((one) => one.slug === 'requisites_payment').id
    for (const number of [PAYS, PAYS_SLOWLY]) {
      const made = await order(notary, await fillGroup(notary, random))
      await sandbox.pay(made.widget_url, number, true)
    }
  }
  settle.clients = Array.from({ length: CLIENTS }, (_, number) => quietly(client(number, notaries)))
  const { kills, armed, clocks } = await torture(random)
  const tortured = Math.round((Date.now() - began) / 1000)
  console.log(`${new Date().toISOString().slice(11, 19)} the last kill; now everything has time to finish`)
  const pieces = await settle()
  const found = await compare(notaries, foreign)
  await server.kill()
  sandbox.process.kill('SIGTERM')

  console.log(`\nAlarms (cabinet alarms list):`)
  for (const line of found.alarms) console.log(`  ${line}`)
  console.log(`\nDoctor:`)
  for (const line of found.doctor.text.split('\n').filter((one) => one && !one.startsWith('holds'))) console.log(`  ${line}`)
  const rows = [
    ['database, seed', `${options.database}, ${SEED}`],
    ['kills', `${kills} (${armed} aimed at a call to the acquirer), ${clocks} starts with a wrong clock, ${seen.restores.length} older copies put back`],
    ['acknowledged cart adds', seen.items.size],
    ['acknowledged orders', seen.orders.size],
    ['orders', `${found.orders}: ${list(found.byStatus)}`],
    ['charges', found.charges],
    ['double charges', found.double],
    ['lost', found.wrong.filter((one) => one.includes('gone') || one.includes('neither')).length],
    ['gone with a copy put back', `${found.lostOrders} orders, ${found.lostItems} cart adds; ${found.chargesOfLost} charges, ${found.alarmed} of them with an alarm`],
    ['paid by an invoice unknown to the copy', `${found.beyondCopy.length} orders`],
    ['doctor', found.doctor.code === 0 ? 'everything holds' : `code ${found.doctor.code}`],
    ['alarms', list(found.byAlarm)],
    ['pieces of statement compared', pieces],
    ['faults ordered', list(seen.faults)],
    ['payers', list(seen.payers)],
    ['refusals', list(seen.refusals)],
    ['ended by itself', seen.deaths.join('; ') || 'never'],
    ['seconds', `${tortured} of kills, ${Math.round((Date.now() - began) / 1000)} in all`],
  ]
  if (found.beyondCopy.length > 0) console.log(`\nPaid by an invoice that the copy does not know:\n${found.beyondCopy.map((one) => `  ${one}`).join('\n')}`)
  const wide = Math.max(...rows.map(([name]) => name.length))
  console.log('')
  for (const [name, value] of rows) console.log(`${name.padEnd(wide)}  ${value}`)
  const wrong = [...found.wrong, ...seen.deaths.map((one) => `the cabinet ended by itself: ${one}`)]
  if (wrong.length > 0) console.log(`\nWrong:\n${wrong.map((one) => `  ${one}`).join('\n')}\n\nThe data and the logs stay in ${home}`)
  else if (!options.keep) rmSync(home, { recursive: true, force: true })
  return wrong.length === 0 ? 0 : 1
}

const endAll = () => {
  server.process?.kill('SIGKILL')
  sandbox.process?.kill('SIGTERM')
}
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    endAll()
    process.exit(130)
  })
}
let code = 1
try {
  code = await main()
} catch (error) {
  console.error(error)
  console.error(`The data and the logs stay in ${home}`)
  endAll()
}
process.exit(code)
