// Sees every answer that clients get, and when nothing could be written.

import { note } from '../options.mjs'

const WRITES = new Set(['POST', 'PUT', 'DELETE'])

/** What clients have met since the beginning. */
export class Watch {
  constructor() {
    /** When a write was acknowledged. */
    this.written = []
    /** Answers that are no success: `at`, `kind`. */
    this.failed = []
    /** Answers that must not be: other ones than 503 with Retry-After. */
    this.wrong = []
  }

  /** Takes an answer, or a call without one. */
  see({ method, path, status, headers, at, why }) {
    if (status === 0) {
      this.failed.push({ at, kind: why === 'TimeoutError' ? 'late' : 'none' })
    } else if (status >= 500) {
      const isRight = status === 503 && headers.has('retry-after')
      this.failed.push({ at, kind: isRight ? '503' : 'wrong' })
      if (!isRight) {
        this.wrong.push(`${method} ${path.replace(/\?.*/, '')} was answered ${status}`)
        note(`${method} ${path}: ${status}`)
      }
    } else if (status < 300 && WRITES.has(method)) this.written.push(at)
  }

  /**
   * The longest time without an acknowledged write between two moments, in seconds, and how long after the first moment it
   * began.
   */
  longestGap(from, to) {
    const before = this.written.findLast((at) => at <= from) ?? from
    const moments = [before, ...this.written.filter((at) => at > from && at <= to), to]
    let longest = { gap: 0, after: 0 }
    for (let place = 1; place < moments.length; place += 1) {
      const gap = (moments[place] - moments[place - 1]) / 1000
      if (gap > longest.gap) longest = { gap, after: Math.max(0, moments[place - 1] - from) / 1000 }
    }
    return longest
  }

  /** How many calls failed between two moments, by kind. */
  failures(from, to) {
    const counts = { 503: 0, none: 0, late: 0, wrong: 0 }
    for (const { at, kind } of this.failed) if (at >= from && at <= to) counts[kind] += 1
    return counts
  }

  /** Waits until writes are acknowledged again: several within a second. */
  isWriting() {
    const now = Date.now()
    return this.written.filter((at) => at > now - 1_000).length >= 3
  }
}
