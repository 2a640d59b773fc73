import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'

import { database } from './database.mjs'
import { answers, freePort } from './network.mjs'
import { BINARY, home } from './options.mjs'
import { seen } from './record.mjs'
import { relay } from './relay.mjs'
import { sandbox } from './sandbox.mjs'

/** Header in which a proxy names the client's address. */
export const ADDRESS_HEADER = 'x-test-address'
const READY_MILLISECONDS_MAX = 30_000

const run = promisify(execFile)

/** The cabinet under test. */
export const server = {
  starts: 0,
  async prepare() {
    this.port = await freePort()
    this.url = `http://127.0.0.1:${this.port}`
    writeFileSync(join(home, 'offer.txt'), 'The offer of the test.\n')
    // The starter tables with other accounts, because invented ones are refused. Nothing is paid to them here.
    const tables = join(home, 'reference-data')
    mkdirSync(tables)
    const starter = resolve(import.meta.dirname, '../reference-data')
    for (const name of readdirSync(starter).filter((one) => one.endsWith('.csv'))) {
      const rows = readFileSync(join(starter, name), 'utf8')
      const isWithAccounts = name === 'requisites.csv' || name === 'templates.csv'
      writeFileSync(join(tables, name), isWithAccounts ? withOtherAccounts(rows) : rows)
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
      CABINET_SIGN_UP_CONFIRMATION: 'none',
      CABINET_ACCOUNTS_YOUNG_DAYS: '0',
      CABINET_ACCOUNTS_DECLINES_HOURLY_MAX: '10000',
      CABINET_SECRET_KEY: 'q7Zt0Vw2Kc9xYd4LpR8sJm1NfB6hGe3TuAoXiQyWzE5',
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
      CABINET_OPERATOR_IBAN: iban('322001', '0000026007233566002'),
      CABINET_OPERATOR_ADDRESS: 'м. Київ, вул. Перша, 1',
      CABINET_SUPPORT_EMAIL: 'support@cabinet.example',
      CABINET_SUPPORT_PHONE: '0 800 000 000',
      CABINET_OFFER_FILE_UK: join(home, 'offer.txt'),
      CABINET_OFFER_FILE_EN: join(home, 'offer.txt'),
    }
  },
  /** Runs one of the operator's commands. Returns what it prints and its exit code. */
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
    // A closed gate is kept, because clients may already be waiting at it.
    if (this.openGate) return
    this.isUp = new Promise((open) => {
      this.openGate = open
    })
  },
  /**
   * Starts the cabinet. Returns false when it was killed before it was ready. `clock` is seconds ahead or behind, or what libfaketime
   * takes: that and a speed.
   */
  async start(clock) {
    this.starts += 1
    const log = openSync(join(home, 'cabinet.log'), 'a')
    const started = spawn(BINARY, ['serve'], {
      cwd: home,
      env: { ...this.environment(), ...fakedClock(clock) },
      stdio: ['ignore', log, log],
    })
    this.process = started
    started.isWanted = true
    this.ended = new Promise((done) => {
      started.once('exit', (code, signal) => {
        if (started.isWanted) seen.deaths.push(`start ${this.starts}: code ${code}, signal ${signal}`)
        done()
      })
    })
    const deadline = Date.now() + READY_MILLISECONDS_MAX
    while (!(await answers(`${this.url}/readyz`))) {
      if (started.exitCode !== null)
        throw new Error(`the cabinet did not start (code ${started.exitCode}); see ${home}/cabinet.log`)
      if (started.signalCode !== null) return false
      if (Date.now() > deadline)
        throw new Error(`the cabinet is not ready after 30 s; see ${home}/cabinet.log`)
      await pause(20)
    }
    this.openGate()
    this.openGate = undefined
    return true
  },
  /** Ends the cabinet like a power cut: nothing is finished. */
  async kill() {
    this.process.isWanted = false
    this.closeGate()
    this.process.kill('SIGKILL')
    await this.ended
  },
}

/** The account of a bank with right check digits (ISO 13616). */
function iban(bank, account) {
  const check = 98n - (BigInt(`${bank}${account}301000`) % 97n)
  return `UA${String(check).padStart(2, '0')}${bank}${account}`
}

/** Tables whose accounts are not those of the demonstration. */
const withOtherAccounts = (rows) =>
  rows
    .replaceAll(/,yes(\r?)$/gm, ',no$1')
    .replaceAll('Демонстраційний', 'Перший')
    .replaceAll(/\bUA\d{2}(\d{6})(\d{19})\b/g, (_, bank, account) =>
      bank === '899998' ? iban(bank, account.replace('0999', '0313')) : iban('322001', account),
    )

/** The environment that makes libfaketime change the clock. */
function fakedClock(clock) {
  if (clock === 0) return {}
  if (typeof clock === 'string') return { LD_PRELOAD: fakeTimeLibrary(), FAKETIME: clock }
  const offset = `${clock > 0 ? '+' : ''}${clock}`
  return { LD_PRELOAD: fakeTimeLibrary(), FAKETIME: offset, FAKETIME_DONT_FAKE_MONOTONIC: '1' }
}

function fakeTimeLibrary() {
  const folders = readdirSync('/usr/lib', { withFileTypes: true })
    .filter((one) => one.isDirectory())
    .map((one) => join('/usr/lib', one.name))
  const file = folders.map((folder) => join(folder, 'faketime/libfaketimeMT.so.1')).find(existsSync)
  if (!file) throw new Error('libfaketime is not installed')
  return file
}
