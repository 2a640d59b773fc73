// Runs the program: one process of it, and a whole cabinet with data of its own and the sandbox beside it.

import { execFile, spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { answers, freePort } from './network.mjs'
import { ADDRESS_HEADER, Notary, phoneOf } from './notary.mjs'
import { Sandbox } from './sandbox.mjs'

/** A process that does not end by itself after so long is killed. */
const STOP_MILLISECONDS_MAX = 12_000

/** Whoever signs up may order at once, and as much as they like. */
export const WITHOUT_LIMITS_OF_NEW_ACCOUNTS = {
  CABINET_SIGN_UP_CONFIRMATION: 'none',
  CABINET_ACCOUNTS_YOUNG_DAYS: '0',
  CABINET_ACCOUNTS_DECLINES_HOURLY_MAX: '10000',
}

/** What commands on the data of a sandbox are told: the operator whom lists of transfers name, and the secret that seals transfers. */
export const OPERATOR_OF_SANDBOX = {
  CABINET_OPERATOR_NAME: 'ТОВ «Демонстраційний кабінет»',
  CABINET_OPERATOR_CODE: '32855961',
  CABINET_OPERATOR_IBAN: 'UA573220010000026007233566001',
}
export const SECRET_OF_SANDBOX = 'sandbox-secret-key-worth-nothing-at-all'

/**
 * Runs a command of the program to its end.
 *
 * @param {string} binary
 * @param {readonly string[]} words
 * @param {Record<string, string | undefined>} environment
 * @returns {Promise<{ code: number, stdout: string, text: string }>} its exit code, its result, and everything that it says
 */
export function runCommand(binary, words, environment) {
  const options = { env: { PATH: process.env.PATH, ...environment }, maxBuffer: 1 << 28 }
  return new Promise((done, failed) => {
    execFile(binary, words, options, (error, stdout, stderr) => {
      if (error && typeof error.code !== 'number') failed(error)
      else done({ code: error?.code ?? 0, stdout, text: stdout + stderr })
    })
  })
}

/** A process of the program that serves. */
export class Process {
  /**
   * @param {string} binary
   * @param {object} options
   * @param {string} options.url where it answers
   * @param {string} options.folder where it runs
   * @param {Record<string, string | undefined>} options.environment
   * @param {readonly string[]} [options.words] its command
   * @param {string} [options.output] file to which its output is added
   * @param {string} [options.errors] file to which its log is added
   * @param {number} [options.readySeconds] how long a start may take
   */
  constructor(
    binary,
    { url, folder, environment, words = ['serve', '--sandbox'], output, errors, readySeconds = 120 },
  ) {
    this.binary = binary
    this.own = url
    this.folder = folder
    this.environment = environment
    this.words = words
    this.files = [output, errors]
    this.readySeconds = readySeconds
    /** Whether it has been started and not been told to end. */
    this.isWanted = false
    /** Is told when it ends by itself. */
    this.onDeath = (_how) => {}
  }

  /**
   * Starts it and waits until it is ready. Returns how many milliseconds that took, or nothing if it was ended meanwhile. `more` are settings
   * of this start alone.
   *
   * @param {Record<string, string | undefined>} [more]
   * @param {number} [every] how often it is looked at, in milliseconds
   */
  async start(more = {}, every = 20) {
    const began = performance.now()
    const files = this.files.map((path) => (path === undefined ? 'ignore' : openSync(path, 'a')))
    const child = spawn(this.binary, this.words, {
      cwd: this.folder,
      env: { PATH: process.env.PATH, ...this.environment, ...more },
      stdio: ['ignore', ...files],
    })
    for (const file of files) if (typeof file === 'number') closeSync(file)
    this.child = child
    this.isWanted = true
    this.ended = new Promise((done) => {
      child.once('exit', (code, signal) => {
        if (this.isWanted && this.child === child) this.onDeath(`code ${code}, signal ${signal}`)
        done(undefined)
      })
      child.once('error', done)
    })
    const seeLog = this.files[1] === undefined ? '' : `; see ${this.files[1]}`
    while (!(await answers(`${this.own}/readyz`, 10_000))) {
      if (!this.isWanted || this.child !== child) return undefined
      if (this.hasEnded) throw new Error(`The cabinet ended with code ${child.exitCode}${seeLog}`)
      if (performance.now() - began > this.readySeconds * 1000)
        throw new Error(`The cabinet is not ready after ${this.readySeconds} s${seeLog}`)
      await pause(every)
    }
    return performance.now() - began
  }

  get hasEnded() {
    return this.child === undefined || this.child.exitCode !== null || this.child.signalCode !== null
  }

  /**
   * Ends it, and kills it when it takes too long.
   *
   * @param {NodeJS.Signals} [signal]
   */
  async end(signal = 'SIGTERM') {
    this.isWanted = false
    if (this.hasEnded) return
    this.child.kill(signal)
    const timer = setTimeout(() => this.child.kill('SIGKILL'), STOP_MILLISECONDS_MAX)
    await this.ended
    clearTimeout(timer)
  }

  get pid() {
    return this.child.pid
  }

  /** Returns the resident memory in MiB. */
  memory() {
    return memoryOf(this.pid, 'VmRSS')
  }
}

/** Returns a figure of the memory of a process in MiB: VmRSS is what it has, VmHWM the most that it has had. */
export function memoryOf(pid, figure) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`${figure}:\\s+(\\d+) kB`, 'u').exec(status)[1]) / 1024
}

/** A cabinet with its sandbox and a data folder. */
export class Cabinet extends Process {
  /**
   * `database` names an empty database of PostgreSQL; without it the cabinet has a new SQLite file. `beside` is another cabinet, whose data
   * folder and database this process shares; `sandbox` is one that runs elsewhere; `isLogged`: it writes a log beside its data.
   */
  static async make(binary, { beside, ...more } = {}) {
    const folder = beside?.folder ?? mkdtempSync(join(tmpdir(), 'cabinet-'))
    const port = await freePort()
    const sandboxPort = await freePort()
    return new Cabinet(binary, { ...more, folder, port, sandboxPort, beside })
  }

  constructor(binary, { folder, port, sandboxPort, database, beside, sandbox, settings, isLogged = false }) {
    const url = `http://127.0.0.1:${port}`
    const file = join(folder, 'cabinet.sqlite')
    const log = isLogged ? join(folder, 'cabinet.log') : undefined
    const databaseUrl = beside?.databaseUrl ?? database ?? `sqlite:${file}`
    super(binary, {
      url,
      folder,
      environment: {
        CABINET_LISTEN: `127.0.0.1:${port}`,
        CABINET_SANDBOX_LISTEN: `127.0.0.1:${sandboxPort}`,
        CABINET_SANDBOX_URL: sandbox?.url,
        CABINET_PUBLIC_URL: beside?.url ?? url,
        CABINET_DATABASE_URL: databaseUrl,
        ...WITHOUT_LIMITS_OF_NEW_ACCOUNTS,
        // Accounts are created from many addresses, so that the limits of one address are not reached.
        CABINET_CLIENT_ADDRESS_HEADER: ADDRESS_HEADER,
        ...settings,
      },
      output: log,
      errors: log,
    })
    this.url = url
    this.port = port
    this.databaseUrl = databaseUrl
    this.log = log
    /** The file of the database, on SQLite. */
    this.database = file
    this.sandbox = sandbox ?? new Sandbox(`http://127.0.0.1:${sandboxPort}`)
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** Runs a command of the operator on its data. */
  command(...words) {
    return runCommand(this.binary, words, {
      CABINET_DATABASE_URL: this.databaseUrl,
      CABINET_SECRET_KEY: SECRET_OF_SANDBOX,
      ...OPERATOR_OF_SANDBOX,
    })
  }

  /** Signs in. */
  logIn(phone) {
    return new Notary(this, phone).logIn()
  }

  /** Creates an account and signs it in. */
  signUp(number) {
    return new Notary(this, phoneOf(number)).signUp()
  }
}
