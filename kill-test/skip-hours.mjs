import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

import { relay } from './relay.mjs'

/**
 * Lets hours pass at once, so that everything due later happens. `setClock` starts the cabinet anew with a clock that is ahead, and `logs` are
 * its logs. Returns how many days of the statement were compared.
 */
export async function skipHours(setClock, logs) {
  const comparedDays = () =>
    logs
      .map((log) => readFileSync(log, 'utf8').split('Our payments were compared').length - 1)
      .reduce((all, one) => all + one, 0)
  for (const ahead of [0, 300, 1_800, 7_200, 14_400, 21_600, 28_800]) {
    relay.aheadSeconds = ahead
    await setClock(ahead)
    await pause(5_000)
  }
  // A day is compared with the statement an hour after its end, and the first comparison comes ten minutes after a start. So the clock
  // is set to that hour and runs ten times as fast.
  const now = new Date()
  const tomorrow = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1, 1, 5)
  const ahead = Math.round((tomorrow - now.getTime()) / 1000)
  relay.aheadSeconds = ahead
  await setClock(`+${ahead} x10`)
  const deadline = Date.now() + 12 * 60_000
  const before = comparedDays()
  while (comparedDays() < before + 31 && Date.now() < deadline) await pause(1_000)
  await pause(2_000)
  relay.aheadSeconds = ahead + 1_200
  await setClock(ahead + 1_200)
  await pause(5_000)
  return comparedDays() - before
}
