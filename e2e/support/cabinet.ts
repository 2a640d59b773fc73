import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Process, SECRET_OF_SANDBOX, WITHOUT_LIMITS_OF_NEW_ACCOUNTS } from '../../tools/lib/cabinet.mjs'
import { freePort } from '../../tools/lib/network.mjs'
import { createDatabase, dropDatabase } from './postgres.ts'
import { Sandbox } from './sandbox.ts'
import { takeTurns } from './turns.ts'

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

/** The metrics of a process, or nothing while it does not run. */
async function metricsAt(operations: string): Promise<string> {
  try {
    const answer = await fetch(`http://${operations}/metrics`, { signal: AbortSignal.timeout(5_000) })
    return await answer.text()
  } catch {
    return ''
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
  const url = `http://localhost:${publicPort}`
  const database = shared ?? `sqlite:${join(dataFolder, 'cabinet.sqlite')}`
  const sandboxAddress = `127.0.0.1:${await freePort()}`
  const mailAddress = `127.0.0.1:${await freePort()}`
  const sandbox = new Sandbox(`http://${sandboxAddress}`)
  const processes: { port: number; operations: string; log: string; process: Process }[] = []
  for (let index = 0; index < count; index += 1) {
    const port = count === 1 ? publicPort : await freePort()
    const operations = `127.0.0.1:${await freePort()}`
    const log = join(logs, index === 0 ? `${name}.log` : `${name}-process-${index + 1}.log`)
    const process = new Process(binary(), {
      url: `http://127.0.0.1:${port}`,
      folder: dataFolder,
      environment: {
        CABINET_LISTEN: `127.0.0.1:${port}`,
        CABINET_OPERATIONS_LISTEN: operations,
        CABINET_SANDBOX_LISTEN: sandboxAddress,
        CABINET_SANDBOX_SMTP_LISTEN: mailAddress,
        CABINET_SANDBOX_URL: index === 0 ? undefined : sandbox.url,
        CABINET_PUBLIC_URL: url,
        CABINET_DATABASE_URL: database,
        ...WITHOUT_LIMITS_OF_NEW_ACCOUNTS,
        ...environment,
      },
      // The sandbox introduces its notaries there.
      output: log.replace(/\.log$/u, '.stdout.log'),
      errors: log,
    })
    processes.push({ port, operations, log, process })
  }
  const ports = processes.map(({ port }) => port)
  const proxy = count === 1 ? undefined : await takeTurns(publicPort, ports)

  // The first one migrates and fills the database, and has the sandbox.
  const start = async (): Promise<void> => {
    for (const { process } of processes) await process.start()
  }
  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    await Promise.all(processes.map(({ process }) => process.end(signal)))
  }

  await start()
  return {
    url,
    sandbox,
    logs: processes.map(({ log }) => log),
    dataFolder,
    database,
    start,
    command: (...words) =>
      execFileSync(binary(), words, {
        cwd: dataFolder,
        encoding: 'utf8',
        // The sandbox's secret seals its transfers.
        env: {
          CABINET_DATABASE_URL: database,
          CABINET_SECRET_KEY: SECRET_OF_SANDBOX,
          ...environment,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    kill: () => end('SIGKILL'),
    metrics: async () =>
      (await Promise.all(processes.map(({ operations }) => metricsAt(operations)))).join('\n'),
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
