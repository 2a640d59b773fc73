import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

import { relay } from './relay.mjs'

/** More hours, where an order is still being asked about: a page that a restored copy does not know may be paid for a day. */
const MORE_HOURS = [1, 2, 4, 8, 16, 32]
/** The second reading comes some minutes after the first: at the end it is waited for. */
const LAST_READINGS_MILLISECONDS_MAX = 15 * 60_000

/** Whether an order of a notary has no outcome yet. */
async function isAnyOpen(notaries) {
  const listed = await Promise.all(
    notaries.map((one) => one.insist('GET', '/order?limit=1&status=in_progress')),
  )
  return listed.some(({ body }) => body?.orders?.length > 0)
}

/**
 * Lets hours pass at once, so that everything due later happens. `setClock` starts the cabinet anew with a clock that is ahead, and `logs` are
 * its logs. Returns how many days of the statement were compared.
 */
export async function skipHours(setClock, logs, notaries) {
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
  let later = ahead + 1_200
  for (const hours of [0, ...MORE_HOURS]) {
    later += hours * 3_600
    relay.aheadSeconds = later
    await setClock(later)
    await pause(5_000)
    if (!(await isAnyOpen(notaries))) break
  }
  const end = Date.now() + LAST_READINGS_MILLISECONDS_MAX
  while ((await isAnyOpen(notaries)) && Date.now() < end) await pause(5_000)
  return comparedDays() - before
}
