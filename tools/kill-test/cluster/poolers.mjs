// A cabinet behind PgBouncer: it works with a session for each connection, and is refused otherwise.

import { Process } from '../../lib/cabinet.mjs'
import { freePort } from '../../lib/network.mjs'
import { BINARY, home } from '../options.mjs'
import { runCommand } from '../settings.mjs'
import { settingsAt } from './cabinet-machine.mjs'
import { HOST, POOLERS } from './places.mjs'

const REASON = 'a pooler that gives each transaction another session'

/** Whether a cabinet behind PgBouncer in session mode gets ready. */
async function servesWith(environment, port) {
  const url = `http://${HOST}:${port}`
  const cabinet = new Process(BINARY, { url, folder: home, words: ['serve'], environment, readySeconds: 15 })
  try {
    await cabinet.start()
    return true
  } catch {
    return false
  } finally {
    await cabinet.end('SIGKILL')
  }
}

/** Returns what is wrong. */
export async function tryPoolers() {
  const wrong = []
  const port = await freePort()
  const session = settingsAt(port, POOLERS.session)
  const allowed = await runCommand(session, 'check')
  if (/^BLOCKS {2}database/m.test(allowed.text)) wrong.push(`PgBouncer in session mode: ${allowed.text}`)
  if (!(await servesWith(session, port))) wrong.push('no cabinet serves with PgBouncer in session mode')
  const transaction = settingsAt(port, POOLERS.transaction)
  const found = await runCommand(transaction, 'check')
  const blocks = found.text.split('\n').find((line) => line.startsWith('BLOCKS  database'))
  if (found.code !== 1 || !blocks?.includes(REASON))
    wrong.push(`PgBouncer in transaction mode is not named by \`cabinet check\`: ${found.text}`)
  const refused = await runCommand(transaction, 'serve')
  if (refused.code === 0 || !refused.text.includes(REASON))
    wrong.push(`PgBouncer in transaction mode is not refused at the start: ${refused.text}`)
  console.log(`PgBouncer: session mode serves; transaction mode: ${blocks ?? 'not refused'}`)
  return wrong
}
