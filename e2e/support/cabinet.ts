import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { createWriteStream, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Sandbox } from './sandbox.ts'

/** Time limits for starting and stopping the cabinet. */
const START_MILLISECONDS_MAX = 20_000
const STOP_MILLISECONDS_MAX = 12_000

/** A running release binary with a data folder of its own and the sandbox beside it. */
export interface Cabinet {
  /** The base URL, without a slash at the end. */
  readonly url: string
  readonly sandbox: Sandbox
  /** The server's log file. */
  readonly log: string
  readonly dataFolder: string
  /** Runs an operator command on the same data and returns its output. */
  command(...words: string[]): string
  /** Ends the process as a crash would, at once. */
  kill(): Promise<void>
  /** Starts it again on the same data and the same ports. */
  start(): Promise<void>
  /** The metrics, or nothing while it does not run. */
  metrics(): Promise<string>
  /** Stops it gracefully, lets somebody look at what it leaves behind, and removes the data. */
  stop(look?: () => void): Promise<void>
}

function binary(): string {
  const target = process.env['CARGO_TARGET_DIR'] ?? resolve(import.meta.dirname, '../../target')
  const path = process.env['E2E_BINARY'] ?? join(target, 'release/cabinet')
  if (!existsSync(path))
    throw new Error(`There is no ${path}: build it with cargo build --release -p cabinet-server.`)
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
    const answer = await fetch(url, { signal: AbortSignal.timeout(1_000) })
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

/** Starts a cabinet with demo data; `name` marks its log, `environment` changes settings. */
export async function startCabinet(name: string, environment: Record<string, string> = {}): Promise<Cabinet> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'cabinet-e2e-'))
  const logs = resolve(import.meta.dirname, '../results/server-logs')
  mkdirSync(logs, { recursive: true })
  const log = join(logs, `${name}.log`)
  const port = await freePort()
  const sandboxPort = await freePort()
  const operations = `127.0.0.1:${await freePort()}`
  const url = `http://localhost:${port}`
  const sandbox = new Sandbox(`http://127.0.0.1:${sandboxPort}`)
  const database = `sqlite:${join(dataFolder, 'cabinet.sqlite')}`
  let running: ChildProcess | undefined

  const start = async (): Promise<void> => {
    const output = createWriteStream(log, { flags: 'a' })
    const started = spawn(binary(), ['serve', '--sandbox'], {
      cwd: dataFolder,
      env: {
        PATH: process.env['PATH'],
        CABINET_LISTEN: `127.0.0.1:${port}`,
        CABINET_OPERATIONS_LISTEN: operations,
        CABINET_SANDBOX_LISTEN: `127.0.0.1:${sandboxPort}`,
        CABINET_PUBLIC_URL: url,
        CABINET_DATABASE_URL: database,
        // Notaries who sign up in a test may order at once, and as much as they like.
        CABINET_SIGN_UP_CONFIRMATION: 'none',
        CABINET_ACCOUNTS_YOUNG_DAYS: '0',
        CABINET_ACCOUNTS_DECLINES_HOURLY_MAX: '10000',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    // The sandbox introduces its notaries there.
    started.stdout.pipe(createWriteStream(join(logs, `${name}.stdout.log`), { flags: 'a' }))
    started.stderr.pipe(output)
    running = started
    await untilReady(started, url, log)
  }

  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    const process = running
    running = undefined
    if (process !== undefined) await endProcess(process, signal)
  }

  await start()
  return {
    url,
    sandbox,
    log,
    dataFolder,
    start,
    command: (...words) =>
      execFileSync(binary(), words, {
        cwd: dataFolder,
        encoding: 'utf8',
        env: { CABINET_DATABASE_URL: database, ...environment },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    kill: () => end('SIGKILL'),
    metrics: async () => {
      try {
        const answer = await fetch(`http://${operations}/metrics`, { signal: AbortSignal.timeout(5_000) })
        return await answer.text()
      } catch {
        return ''
      }
    },
    stop: async (look) => {
      await end('SIGTERM')
      try {
        look?.()
      } finally {
        rmSync(dataFolder, { recursive: true, force: true })
      }
    },
  }
}
