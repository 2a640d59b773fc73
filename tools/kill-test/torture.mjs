// Kills, faults, wrong clocks and restored copies.

import { setTimeout as pause } from 'node:timers/promises'

import { database } from './database.mjs'
import { breakDisk } from './disk.mjs'
import { IS_POSTGRES, KILLS, note } from './options.mjs'
import { count, seen } from './record.mjs'
import { relay } from './relay.mjs'
import { sandbox } from './sandbox.mjs'
import { server } from './server.mjs'
import { time } from './words.mjs'

/** Seconds by which a clock is wrong. */
const CLOCKS = [-3600, -1200, -600, 600, 1200, 3600]
/** One in this many starts has a wrong clock. */
const CLOCK_ODDS = 8
/** One in this many kills comes in the middle of a call to the acquirer. */
const ARMED_ODDS = 3
/** One in this many starts comes with a fault of the outside services. */
const FAULT_ODDS = 4
/** After so many kills the disk of a SQLite database breaks once. */
const DISK_EVERY = 10
const UP_MILLISECONDS_MAX = 2_500

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

/** Kills the cabinet after a while or in the middle of a call to the acquirer. Returns whether it waited for such a call. */
async function killAtRandom(random) {
  const longest = random.between(80, UP_MILLISECONDS_MAX)
  let isArmed = false
  if (random.oneIn(ARMED_ODDS)) {
    isArmed = true
    await pause(random.below(300))
    const wasKilled = new Promise((done) => {
      relay.armed = {
        when: random.of(['before', 'after', 'answered']),
        late: random.below(30),
        kill: () => done(server.kill()),
      }
    })
    await Promise.race([wasKilled, pause(longest)])
    relay.armed = null
  } else {
    await pause(longest)
  }
  await server.kill()
  return isArmed
}

/** Kills and restarts the cabinet as often as asked. */
export async function torture(random) {
  // There are a few kills between making a copy and restoring it.
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
      await sandbox.json('/faults', 'PUT', fault)
    }
    if (plan.get(kills) === 'copy') copyBegan = await database.copy(server)
    if (await killAtRandom(random)) armed += 1
    kills += 1
    if (plan.get(kills) === 'restore') await database.restore(copyBegan)
    clock = random.oneIn(CLOCK_ODDS) ? random.of(CLOCKS) : 0
    if (clock !== 0) {
      clocks += 1
      note(`the clock is wrong by ${clock} s`)
    }
    await server.start(clock)
    if (!IS_POSTGRES && kills % DISK_EVERY === 0) await breakDisk(server)
    if (kills % 25 === 0)
      console.log(
        `${time()} ${kills} kills, ${seen.items.size} cart adds, ${seen.orders.size} orders acknowledged`,
      )
  }
  return { kills, armed, clocks }
}
