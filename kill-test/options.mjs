// The options of the command line, and the folder of this run.

import { appendFileSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    binary: { type: 'string' },
    database: { type: 'string', default: 'sqlite' },
    kills: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    clients: { type: 'string', default: '12' },
    keep: { type: 'boolean', default: false },
  },
})
if (!values.binary || !['sqlite', 'postgres'].includes(values.database)) {
  console.error(
    'usage: main.mjs --binary PATH [--database sqlite|postgres] [--kills N] [--seed S] [--clients N] [--keep]',
  )
  process.exit(64)
}

export const BINARY = resolve(values.binary)
export const DATABASE = values.database
export const IS_POSTGRES = DATABASE === 'postgres'
export const KILLS = Number(values.kills)
export const SEED = Number(values.seed)
export const CLIENTS = Number(values.clients)
/** Whether the folder is kept after a run without a finding. */
export const IS_KEPT = values.keep

/** The folder of the data and the logs. */
export const home = mkdtempSync(join(tmpdir(), 'kill-test-'))

/** Writes a line to the log of the test. */
export const note = (text) => appendFileSync(join(home, 'test.log'), `${new Date().toISOString()} ${text}\n`)
