import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { home } from './options.mjs'
import { relay } from './relay.mjs'
import { server } from './server.mjs'

const comparedDays = () =>
  readFileSync(join(home, 'cabinet.log'), 'utf8').split('Our payments were compared').length - 1

/** Lets hours pass at once, so that everything due later happens. Returns how many days of the statement were compared. */
export async function skipHours() {
  for (const ahead of [0, 300, 1_800, 7_200, 14_400, 21_600, 28_800]) {
    await server.kill()
    relay.aheadSeconds = ahead
    await server.start(ahead)
    await pause(5_000)
  }
  // A day is compared with the statement an hour after its end, and the first comparison comes ten minutes after a start. So the clock
  // is set to that hour and runs ten times as fast.
  const now = new Date()
  const tomorrow = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1, 1, 5)
  const ahead = Math.round((tomorrow - now.getTime()) / 1000)
  await server.kill()
  relay.aheadSeconds = ahead
  await server.start(`+${ahead} x10`)
  const deadline = Date.now() + 12 * 60_000
  const before = comparedDays()
  while (comparedDays() < before + 31 && Date.now() < deadline) await pause(1_000)
  await pause(2_000)
  await server.kill()
  relay.aheadSeconds = ahead + 1_200
  await server.start(ahead + 1_200)
  await pause(5_000)
  return comparedDays() - before
}
