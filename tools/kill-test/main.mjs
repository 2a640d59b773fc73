// Kills the cabinet at random moments under load and compares what is left with the acquirer's ledger.
//
//   node tools/kill-test/main.mjs --binary PATH [--database sqlite|postgres] [--kills N] [--seed S] [--clients N] [--keep]
//
// docs/testing.md says what is compared at the end.

import { rmSync } from 'node:fs'
import { join } from 'node:path'

import { signUpNotaries, startClients } from './clients.mjs'
import { compare } from './compare.mjs'
import { database } from './database.mjs'
import { disk } from './disk.mjs'
import { CLIENTS, DATABASE, home, IS_KEPT, SEED } from './options.mjs'
import { randomChoices } from './random.mjs'
import { seen } from './record.mjs'
import { relay } from './relay.mjs'
import { sandbox } from './sandbox.mjs'
import { server } from './server.mjs'
import { skipHours } from './skip-hours.mjs'
import { tryCabinet } from './target.mjs'
import { torture } from './torture.mjs'
import { lines, list, time } from './words.mjs'

function printTable(found, { kills, armed, clocks }, days, seconds) {
  console.log(`\nAlarms (cabinet alarms list):\n${lines(found.alarms)}`)
  const broken = found.doctor.text.split('\n').filter((one) => one && !one.startsWith('holds'))
  console.log(`\nDoctor:\n${lines(broken)}`)
  if (found.beyondCopy.length > 0) {
    console.log(`\nPaid by an invoice that the copy does not know:\n${lines(found.beyondCopy)}`)
  }
  const rows = [
    ['database, seed', `${DATABASE}, ${SEED}`],
    [
      'kills',
      `${kills} (${armed} aimed at a call to the acquirer), ${clocks} starts with a wrong clock, ${seen.restores.length} older copies put back`,
    ],
    ['acknowledged cart adds', seen.items.size],
    ['acknowledged orders', seen.orders.size],
    ['orders', `${found.orders}: ${list(found.byStatus)}`],
    ['charges', found.charges],
    ['double charges', found.double],
    ['lost', found.gone],
    [
      'gone with a copy put back',
      `${found.lostOrders} orders, ${found.lostItems} cart adds; ${found.chargesOfLost} charges, ${found.alarmed} of them with an alarm`,
    ],
    ['paid by an invoice unknown to the copy', `${found.beyondCopy.length} orders`],
    ['doctor', found.doctor.code === 0 ? 'everything holds' : `code ${found.doctor.code}`],
    ['alarms', list(found.byAlarm)],
    ['days of the statement compared', days],
    ['faults of the disk', list(seen.disks)],
    ['faults ordered', list(seen.faults)],
    ['payers', list(seen.payers)],
    ['refusals', list(seen.refusals)],
    ['ended by itself', seen.deaths.join('; ') || 'never'],
    ['seconds', `${seconds.kills} of kills, ${seconds.all} in all`],
  ]
  const width = Math.max(...rows.map(([name]) => name.length))
  console.log('')
  for (const [name, value] of rows) console.log(`${name.padEnd(width)}  ${value}`)
}

/** Starts the cabinet anew with a clock that may be wrong. */
async function setClock(clock) {
  await server.kill()
  await server.start(clock)
}

async function main() {
  const began = Date.now()
  const seconds = () => Math.round((Date.now() - began) / 1000)
  const random = randomChoices(SEED)
  console.log(`Everything is in ${home}`)
  await sandbox.start()
  await relay.start()
  disk.start()
  database.start()
  tryCabinet(server)
  await server.prepare()
  await server.start(0)
  // The charges of the sandbox's own history belong to no order here.
  const foreign = new Set((await sandbox.ledger()).map((line) => line.invoice_id))
  const notaries = await signUpNotaries(random)
  const stopClients = startClients(CLIENTS, notaries)
  const kills = await torture(random)
  const secondsOfKills = seconds()
  console.log(`${time()} the last kill; now everything has time to finish`)
  await sandbox.json('/faults', 'DELETE')
  await stopClients()
  const days = await skipHours(setClock, [join(home, 'cabinet.log')], notaries)
  const found = await compare(notaries, foreign)
  await server.kill()
  await sandbox.process.end()
  disk.stop()
  printTable(found, kills, days, { kills: secondsOfKills, all: seconds() })
  const wrong = [...found.wrong, ...seen.deaths.map((one) => `the cabinet ended by itself: ${one}`)]
  if (wrong.length > 0) console.log(`\nWrong:\n${lines(wrong)}\n\nThe data and the logs stay in ${home}`)
  else if (!IS_KEPT) rmSync(home, { recursive: true, force: true })
  return wrong.length === 0 ? 0 : 1
}

const endAll = () => {
  server.process?.end('SIGKILL')
  sandbox.process?.end()
  disk.stop()
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
