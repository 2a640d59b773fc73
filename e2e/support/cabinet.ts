import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { createWriteStream, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createDatabase, dropDatabase } from './postgres.ts'
import { Sandbox } from './sandbox.ts'
import { takeTurns } from './turns.ts'

/** Time limits for starting and stopping the cabinet. */
const START_MILLISECONDS_MAX = 120_000
const STOP_MILLISECONDS_MAX = 12_000

/** A running cabinet with data of its own and the sandbox beside it. */
export interface Cabinet {
  /** The base URL, without a slash at the end. */
  readonly url: string
  readonly sandbox: Sandbox
  /** The log files of its processes. */
  readonly logs: readonly string[]
  readonly dataFolder: string
  /** The address of its database. */
  readonly database: string
  /** Runs an operator command on the same data and returns its output. */
  command(...words: string[]): string
  /** Ends its processes as a crash would, at once. */
  kill(): Promise<void>
  /** Starts them again on the same data and the same ports. */
  start(): Promise<void>
  /** The metrics, or nothing while it does not run. */
  metrics(): Promise<string>
  /** Stops it gracefully, lets somebody look at what it leaves behind, and removes the data. */
  stop(look?: () => void): Promise<void>
}

function binary(): string {
  const target = process.env['CARGO_TARGET_DIR'] ?? resolve(import.meta.dirname, '../../target')
  const path = process.env['E2E_BINARY'] ?? join(target, 'debug/cabinet')
  if (!existsSync(path))
    throw new Error(`There is no ${path}: "scripts/test browser-tests -- FILE" builds it and runs a file.`)
  return path
}

/** The port that was tried last. Each worker has a thousand of its own. */
let lastPort = 20_000 + 1_000 * Number(process.env['TEST_PARALLEL_INDEX'] ?? 0)

/**
 * Finds a free port, outside the range of outgoing connections: while a cabinet is stopped, such a connection might
 * take its port.
 */
async function freePort(): Promise<number> {
  lastPort += 1
  const port = lastPort
  const server = createServer()
  const isFree = await new Promise<boolean>((done) => {
    server.once('error', () => done(false))
    server.listen(port, '127.0.0.1', () => done(true))
  })
  if (!isFree) return freePort()
  await new Promise((done) => server.close(done))
  return port
}

async function answers(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(10_000) })
    return answer.ok
  } catch {
    return false
  }
}

function ended(process: ChildProcess): Promise<void> {
  if (process.exitCode !== null || process.signalCode !== null) return Promise.resolve()
  return new Promise((done) => process.once('exit', () => done()))
}

/** Waits until the server is ready. Fails when it has ended, or takes too long. */
async function untilReady(server: ChildProcess, url: string, log: string): Promise<void> {
  const deadline = Date.now() + START_MILLISECONDS_MAX
  while (!(await answers(`${url}/readyz`))) {
    if (server.exitCode !== null)
      throw new Error(`The cabinet ended with code ${server.exitCode}; see ${log}.`)
    if (Date.now() > deadline)
      throw new Error(`The cabinet is not ready after ${START_MILLISECONDS_MAX} ms; see ${log}.`)
    await pause(20)
  }
}

/** Ends a process by this signal, or kills it when it takes too long. */
async function endProcess(process: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  process.kill(signal)
  const timer = setTimeout(() => process.kill('SIGKILL'), STOP_MILLISECONDS_MAX)
  await ended(process)
  clearTimeout(timer)
}

/** What the processes of one cabinet have in common. */
interface Common {
  /** Where pages and callbacks reach the cabinet. */
  readonly url: string
  readonly database: string
  readonly dataFolder: string
  readonly sandboxAddress: string
  readonly mailAddress: string
  readonly environment: Record<string, string>
}

/** One process of a cabinet. */
class Process {
  readonly port: number
  readonly log: string
  readonly #common: Common
  readonly #operations: string
  readonly #own: Record<string, string>
  #running: ChildProcess | undefined

  /** `own` are the settings of this process alone. */
  constructor(
    common: Common,
    [port, operationsPort]: [number, number],
    log: string,
    own: Record<string, string>,
  ) {
    this.port = port
    this.log = log
    this.#common = common
    this.#operations = `127.0.0.1:${operationsPort}`
    this.#own = own
  }

  async start(): Promise<void> {
    const { url, database, dataFolder, sandboxAddress, mailAddress, environment } = this.#common
    const started = spawn(binary(), ['serve', '--sandbox'], {
      cwd: dataFolder,
      env: {
        PATH: process.env['PATH'],
        CABINET_LISTEN: `127.0.0.1:${this.port}`,
        CABINET_OPERATIONS_LISTEN: this.#operations,
        CABINET_SANDBOX_LISTEN: sandboxAddress,
        CABINET_SANDBOX_SMTP_LISTEN: mailAddress,
        CABINET_PUBLIC_URL: url,
        CABINET_DATABASE_URL: database,
        // Notaries who sign up in a test may order at once, and as much as they like.
        CABINET_SIGN_UP_CONFIRMATION: 'none',
        CABINET_ACCOUNTS_YOUNG_DAYS: '0',
        CABINET_ACCOUNTS_DECLINES_HOURLY_MAX: '10000',
        ...environment,
        ...this.#own,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    // The sandbox introduces its notaries there.
    started.stdout.pipe(createWriteStream(this.log.replace(/\.log$/u, '.stdout.log'), { flags: 'a' }))
    started.stderr.pipe(createWriteStream(this.log, { flags: 'a' }))
    this.#running = started
    await untilReady(started, `http://127.0.0.1:${this.port}`, this.log)
  }

  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const ending = this.#running
    this.#running = undefined
    if (ending !== undefined) await endProcess(ending, signal)
  }

  async metrics(): Promise<string> {
    try {
      const answer = await fetch(`http://${this.#operations}/metrics`, { signal: AbortSignal.timeout(5_000) })
      return await answer.text()
    } catch {
      return ''
    }
  }
}

/**
 * Starts a cabinet with demo data; `name` marks its log, `environment` changes settings. It is one process on SQLite. With
 * `E2E_PROCESSES=2` it is two on PostgreSQL (`CABINET_TEST_POSTGRES`), behind a proxy that takes turns.
 */
export async function startCabinet(name: string, environment: Record<string, string> = {}): Promise<Cabinet> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'cabinet-e2e-'))
  const logs = resolve(import.meta.dirname, '../results/server-logs')
  mkdirSync(logs, { recursive: true })
  const count = processesWanted()
  const shared = count === 1 ? undefined : createDatabase()
  const publicPort = await freePort()
  const common: Common = {
    url: `http://localhost:${publicPort}`,
    database: shared ?? `sqlite:${join(dataFolder, 'cabinet.sqlite')}`,
    dataFolder,
    sandboxAddress: `127.0.0.1:${await freePort()}`,
    mailAddress: `127.0.0.1:${await freePort()}`,
    environment,
  }
  const sandbox = new Sandbox(`http://${common.sandboxAddress}`)
  const processes: Process[] = []
  for (let index = 0; index < count; index += 1) {
    const port = count === 1 ? publicPort : await freePort()
    const log = join(logs, index === 0 ? `${name}.log` : `${name}-process-${index + 1}.log`)
    const own = index === 0 ? {} : { CABINET_SANDBOX_URL: sandbox.url }
    processes.push(new Process(common, [port, await freePort()], log, own))
  }
  const ports = processes.map(({ port }) => port)
  const proxy = count === 1 ? undefined : await takeTurns(publicPort, ports)

  // The first one migrates and fills the database, and has the sandbox.
  const start = async (): Promise<void> => {
    for (const one of processes) await one.start()
  }
  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    await Promise.all(processes.map((one) => one.end(signal)))
  }

  await start()
  return {
    url: common.url,
    sandbox,
    logs: processes.map(({ log }) => log),
    dataFolder,
    database: common.database,
    start,
    command: (...words) =>
      execFileSync(binary(), words, {
        cwd: dataFolder,
        encoding: 'utf8',
        // The sandbox's secret seals its transfers.
        env: {
          CABINET_DATABASE_URL: common.database,
          CABINET_SECRET_KEY: 'sandbox-secret-key-worth-nothing-at-all',
          ...environment,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    kill: () => end('SIGKILL'),
    metrics: async () => (await Promise.all(processes.map((one) => one.metrics()))).join('\n'),
    stop: async (look) => {
      await end('SIGTERM')
      proxy?.close()
      try {
        look?.()
      } finally {
        if (shared !== undefined) dropDatabase(shared)
        rmSync(dataFolder, { recursive: true, force: true })
      }
    },
  }
}

function processesWanted(): number {
  return Number(process.env['E2E_PROCESSES'] ?? '1')
}
