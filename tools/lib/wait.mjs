import { setTimeout as pause } from 'node:timers/promises'

/** What was waited for did not come in time. */
export class TooLate extends Error {}

/**
 * Asks again and again until there is an answer, and returns it.
 *
 * @template T
 * @param {string} what what is waited for, for the error
 * @param {() => T | Promise<T>} ask
 * @returns {Promise<T>}
 */
export async function until(what, ask, { seconds = 30, every = 50 } = {}) {
  const deadline = performance.now() + seconds * 1000
  for (;;) {
    const answer = await ask()
    if (answer) return answer
    if (performance.now() > deadline) throw new TooLate(`${what}: not after ${seconds} s`)
    await pause(every)
  }
}
