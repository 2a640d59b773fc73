// The options of the command line, and the folder of this run.

import { appendFileSync, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    binary: { type: 'string' },
    database: { type: 'string', default: 'sqlite' },
    kills: { type: 'string', default: '300' },
    failures: { type: 'string', default: '63' },
    only: { type: 'string' },
    seed: { type: 'string', default: '1' },
    clients: { type: 'string', default: '12' },
    browser: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
})
if (!values.binary || !['sqlite', 'postgres', 'cluster'].includes(values.database)) {
  console.error(
    'usage: main.mjs --binary PATH [--database sqlite|postgres] [--kills N] [--seed S] [--clients N] [--keep]\n' +
      '       cluster/test.mjs --binary PATH --database cluster [--failures N] [--only KIND,…] [--seed S] [--clients N] [--browser]',
  )
  process.exit(64)
}

export const BINARY = resolve(values.binary)
export const DATABASE = values.database
export const IS_POSTGRES = DATABASE === 'postgres'
export const KILLS = Number(values.kills)
/** How many failures a cluster gets; with `ONLY` all of these kinds: a part of the name of each, with commas between. */
export const FAILURES = Number(values.failures)
export const ONLY = values.only
/** Whether a page is opened in a browser while the leader is away. */
export const IN_BROWSER = values.browser
export const SEED = Number(values.seed)
export const CLIENTS = Number(values.clients)
/** Whether the folder is kept after a run without a finding. */
export const IS_KEPT = values.keep

/** The folder of the data and the logs. There is one cluster, at fixed ports. */
export const home =
  DATABASE === 'cluster'
    ? resolve(import.meta.dirname, '../../var/cluster')
    : mkdtempSync(join(tmpdir(), 'kill-test-'))
mkdirSync(home, { recursive: true })

/** Writes a line to the log of the test. */
export const note = (text) => appendFileSync(join(home, 'test.log'), `${new Date().toISOString()} ${text}\n`)
