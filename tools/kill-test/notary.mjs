import { setTimeout as pause } from 'node:timers/promises'

import { note, SEED } from './options.mjs'
import { CabinetGone, count, seen } from './record.mjs'
import { sandbox } from './sandbox.mjs'
import { ADDRESS_HEADER, target } from './target.mjs'

const CALL_MILLISECONDS_MAX = 30_000
/** How long a page asks again: longer than any failure here lasts. */
const INSIST_MILLISECONDS_MAX = 90_000

/** Reads the body of an answer. A proxy's own page has no message. */
function readBody(text, headers) {
  return headers.get('content-type')?.includes('json') ? JSON.parse(text) : null
}

/** A notary with one session. */
export class Notary {
  constructor(number) {
    this.number = number
    this.phone = `+38067${String(1_000_000 + SEED * 97 + number)
      .slice(-7)
      .padStart(7, '0')}`
    this.entries = 0
  }

  async fetch(method, path, { body, headers = {}, signal } = {}) {
    await target.isUp
    this.entries += 1
    const limit = AbortSignal.timeout(CALL_MILLISECONDS_MAX)
    try {
      const answer = await fetch(`${target.url}/api${path}`, {
        method,
        headers: {
          'content-type': 'application/json',
          [ADDRESS_HEADER]: `10.${this.number}.${(this.entries >> 8) & 255}.${this.entries & 255}`,
          ...headers,
        },
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      const { status, headers: given } = answer
      target.watch({ method, path, status, headers: given, at: Date.now() })
      return { status, body: readBody(text, given), headers: given }
    } catch (error) {
      if (!signal?.aborted) target.watch({ method, path, status: 0, at: Date.now(), why: error.name })
      throw new CabinetGone(String(error))
    }
  }

  keep(answer) {
    this.access = answer.body.access_token
    const cookie = answer.headers
      .getSetCookie()
      .map((text) => /^(?:__Host-)?refresh_token=([^;]+)/.exec(text)?.[1])
      .find(Boolean)
    if (cookie) this.refresh = cookie
  }

  async codeAfter(act) {
    const before = (await sandbox.messages(this.phone)).length
    const answer = await act()
    if (answer.status >= 300) return { answer }
    for (let tries = 0; tries < 100; tries += 1) {
      const messages = await sandbox.messages(this.phone)
      const code = messages.length > before ? /(?<!\d)\d{4}(?!\d)/.exec(messages[0].text)?.[0] : undefined
      if (code) return { answer, code }
      await pause(50)
    }
    return { answer: { status: 599, body: null } }
  }

  async signUp() {
    const wish = {
      phone: this.phone,
      full_name: 'Шевченко Оксана Іванівна',
      registry_identifier: 'NOTAR777',
      is_agreed: true,
    }
    const { answer, code } = await this.codeAfter(() => this.fetch('POST', '/auth/sign-up', { body: wish }))
    if (!code) throw new Error(`no sign-up: ${answer.status} ${JSON.stringify(answer.body)}`)
    this.keep(answer)
    const opened = await this.fetch('POST', '/auth/sign-up/verify', {
      body: { otp_code: code, operation_id: answer.body.operation_id },
      headers: { authorization: `Bearer ${answer.body.access_token}` },
    })
    if (opened.status !== 200) throw new Error(`no sign-up: ${opened.status} ${JSON.stringify(opened.body)}`)
    this.keep(opened)
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
        const refreshed = await this.fetch('POST', '/auth/refresh', {
          headers: { authorization: `Bearer ${this.refresh}` },
        })
        if (refreshed.status === 200) return this.keep(refreshed)
        const { answer, code } = await this.codeAfter(() =>
          this.fetch('POST', '/auth/login', { body: { phone: this.phone } }),
        )
        if (code) {
          const body = { phone: this.phone, otp_code: code, operation_id: answer.body.operation_id }
          const opened = await this.fetch('POST', '/auth/login/otp', { body })
          if (opened.status === 200) {
            count(seen.refusals, '(signed in anew)')
            return this.keep(opened)
          }
        }
        note(
          `${this.phone} can't enter: ${refreshed.status}, ${answer.status} ${JSON.stringify(answer.body)}`,
        )
        await pause(3_000)
      } catch (error) {
        if (!(error instanceof CabinetGone)) throw error
        await pause(50)
      }
    }
  }

  /** Makes one call of a signed-in page. */
  async call(method, path, wish = {}) {
    for (let tries = 0; ; tries += 1) {
      const answer = await this.fetch(method, path, {
        ...wish,
        headers: { ...wish.headers, authorization: `Bearer ${this.access}` },
      })
      if (answer.status >= 500)
        note(`${method} ${path.replace(/\?.*/, '')}: ${answer.status} ${JSON.stringify(answer.body)}`)
      if (answer.status >= 400 && answer.status !== 401)
        count(
          seen.refusals,
          `${answer.status} ${answer.body?.message ?? answer.body?.key ?? JSON.stringify(answer.body).slice(0, 80)}`,
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
