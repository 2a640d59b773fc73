import { setTimeout as pause } from 'node:timers/promises'

import { Notary as Caller, phoneOf } from '../lib/notary.mjs'
import { Refused } from '../lib/refused.mjs'
import { TooLate } from '../lib/wait.mjs'
import { note, SEED } from './options.mjs'
import { CabinetGone, count, seen } from './record.mjs'
import { sandbox } from './sandbox.mjs'
import { target } from './target.mjs'

const CALL_MILLISECONDS_MAX = 30_000
/** How long a page asks again: longer than any failure here lasts. */
const INSIST_MILLISECONDS_MAX = 90_000

/** What is called: one cabinet, or a cluster behind its proxy. */
const cabinet = {
  sandbox,
  get url() {
    return target.url
  },
}

/** A notary who goes on while the cabinet comes and goes. */
export class Notary extends Caller {
  constructor(number) {
    super(cabinet, phoneOf((1_000_000 + SEED * 97 + number) % 10_000_000))
    this.number = number
    this.entries = 0
    // A cabinet that is killed may have lost the message.
    this.codeSeconds = 5
  }

  address() {
    this.entries += 1
    return `10.${this.number}.${(this.entries >> 8) & 255}.${this.entries & 255}`
  }

  async send(method, path, { signal, ...wish } = {}) {
    await target.isUp
    const limit = AbortSignal.timeout(CALL_MILLISECONDS_MAX)
    try {
      const limited = signal ? AbortSignal.any([signal, limit]) : limit
      const answer = await super.send(method, path, { ...wish, signal: limited })
      const { status, headers } = answer
      target.watch({ method, path, status, headers, at: Date.now() })
      return answer
    } catch (error) {
      if (!signal?.aborted) target.watch({ method, path, status: 0, at: Date.now(), why: error.name })
      throw new CabinetGone(String(error))
    }
  }

  /** Gets a new access token by the session or by a new login. Calls at the same time share one. */
  enter() {
    this.entering ??= this.enterNow().finally(() => {
      this.entering = undefined
    })
    return this.entering
  }

  async enterNow() {
    for (;;) {
      try {
        if (await this.renew()) return
        await this.logIn()
        count(seen.refusals, '(signed in anew)')
        return
      } catch (error) {
        if (error instanceof CabinetGone) await pause(50)
        else if (error instanceof Refused || error instanceof TooLate) {
          note(`${this.phone} can't enter: ${error.message}`)
          await pause(3_000)
        } else throw error
      }
    }
  }

  /** Makes one call of a signed-in page. */
  async call(method, path, wish = {}) {
    for (let tries = 0; ; tries += 1) {
      const answer = await this.send(method, path, wish)
      if (answer.status >= 500)
        note(`${method} ${path.replace(/\?.*/, '')}: ${answer.status} ${JSON.stringify(answer.body)}`)
      if (answer.status >= 400 && answer.status !== 401)
        count(
          seen.refusals,
          `${answer.status} ${answer.body?.message ?? answer.body?.key ?? `${JSON.stringify(answer.body)}`.slice(0, 80)}`,
        )
      if (answer.status !== 401 || tries === 3) return answer
      await this.enter()
    }
  }

  /**
   * Repeats a call until there is an answer, as a page does. The idempotency key makes it safe. `waits`: also after too many calls, of which a page
   * tells a person.
   */
  async insist(method, path, wish, { waits = true } = {}) {
    const until = Date.now() + INSIST_MILLISECONDS_MAX
    while (Date.now() < until) {
      try {
        const answer = await this.call(method, path, wish)
        if (answer.status < 500 && (answer.status !== 429 || !waits)) return answer
        await pause(200)
      } catch (error) {
        if (!(error instanceof CabinetGone)) throw error
        await pause(50)
      }
    }
    return { status: 599, body: null }
  }
}
