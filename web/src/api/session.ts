/**
 * The session of this tab: the access token in memory, and the one way of renewing it.
 *
 * The refresh token is a cookie that no script can read. A reload therefore starts with a refresh, and the browser's
 * storage holds nothing of the session but the fact that somebody has signed in here, so that a guest's first visit asks
 * nothing.
 */
import { currentLocale } from '@/i18n/i18n'
import { forgetArrivingClient } from '@/lib/arriving-client'
import { forgetTabDraft } from '@/lib/tab-draft'
import { failureOf, NetworkFailure, readJson } from './failure'
import type { components } from './schema'

type SessionOpened = Pick<components['schemas']['SessionOpened'], 'access_token' | 'expires_in'> & {
  session_expires_at?: string
}

/** `signing-up`: an account exists, its phone waits for the code; the token is good for that one call. */
export type SessionStatus = 'unknown' | 'guest' | 'signing-up' | 'signed-in'

/** Why there is no session any more: the person left, or the server did not renew it. */
export type SessionEnd = 'signed-out' | 'expired'

export interface SessionState {
  readonly status: SessionStatus
  /** When the session ends, milliseconds; null where the server has not said. */
  readonly endsAt: number | null
}

function isRenewed(body: unknown): body is components['schemas']['SessionRefreshed'] {
  return typeof body === 'object' && body !== null && 'access_token' in body && 'expires_in' in body
}

type Listener = (state: SessionState, end: SessionEnd | null) => void

/** An access token this close to its end is renewed before it is sent, not after it was refused. */
const renewBeforeMilliseconds = 10_000
const answerWithinMilliseconds = 20_000
const hintKey = 'cabinet.signed-in'
const channelName = 'cabinet.session'
const lockName = 'cabinet.refresh'

/**
 * What is known of earlier sessions: one is open, one has ended by itself, or nothing, since the person left or never
 * came. Undefined where the storage is closed.
 */
type Hint = 'open' | 'ended' | null

function readHint(): Hint | undefined {
  try {
    const hint = localStorage.getItem(hintKey)
    return hint === 'open' || hint === 'ended' ? hint : null
  } catch {
    return undefined
  }
}

function writeHint(hint: Hint): void {
  try {
    if (hint === null) localStorage.removeItem(hintKey)
    else localStorage.setItem(hintKey, hint)
  } catch {
    // Storage is closed: the next visit asks the server instead.
  }
}

export class Session {
  #state: SessionState = { status: 'unknown', endsAt: null }
  #accessToken: string | null = null
  #expiresAt = 0
  /** How the latest session of this page ended; null while one is open. */
  #lastEnd: SessionEnd | null = null
  #starting: Promise<void> | null = null
  #renewal: Promise<boolean> | null = null
  /** Somebody has been at this page since the session was opened or renewed; opening a page is being there. */
  #attended = true
  readonly #listeners = new Set<Listener>()
  readonly #channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(channelName)

  constructor() {
    // This tab was asleep, or closed, when its notary left.
    if (readHint() === null) forgetTabDraft()
    this.#channel?.addEventListener('message', (event: MessageEvent<unknown>) => {
      if (event.data === 'closed') this.#end('signed-out')
      // Somebody, perhaps somebody else, signed in next door: the cookie is theirs now, so this tab follows.
      if (event.data === 'opened') void this.#follow()
    })
  }

  /** Ends the talk with the other tabs; for tests, where many tabs live in one. */
  dispose(): void {
    this.#channel?.close()
  }

  get state(): SessionState {
    return this.#state
  }

  /** The session ended by itself, while this page was open. */
  get hasExpired(): boolean {
    return this.#lastEnd === 'expired'
  }

  get accessToken(): string | null {
    return this.#accessToken
  }

  /** Tells of every change; answers the way to stop listening. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Somebody has signed in here and not left: most likely the server still knows her. */
  get expected(): boolean {
    return readHint() === 'open'
  }

  /**
   * Finds out, once, whether somebody is signed in. Without a trace of an earlier sign-in the server is asked only
   * where it matters, that is on a page that needs a session.
   */
  async start(needed: boolean): Promise<void> {
    if (this.#state.status === 'unknown' && (needed || this.expected)) {
      this.#starting ??= this.renew().then(
        () => undefined,
        (error: unknown) => {
          this.#starting = null
          throw error
        },
      )
      await this.#starting
    }
  }

  /** A login or a verified sign-up succeeded. */
  open(opened: SessionOpened): void {
    this.#take(opened)
    this.#channel?.postMessage('opened')
  }

  /** A sign-up was started: its token verifies the phone and does nothing else. */
  openSignUp(accessToken: string): void {
    this.#accessToken = accessToken
    this.#expiresAt = Number.POSITIVE_INFINITY
    this.#set({ status: 'signing-up', endsAt: null }, null)
  }

  /** The page of the code is open again: the token is gone, but the cookie of the sign-up renews it for that one call. */
  resumeSignUp(): void {
    if (this.#state.status !== 'unknown' && this.#state.status !== 'guest') return
    this.#set({ status: 'signing-up', endsAt: null }, null)
  }

  /** The notary has pressed or typed something: the next renewal lengthens the session; one that nobody attends does not. */
  attend(): void {
    this.#attended = true
  }

  /** The server refuses this session although it was renewed a moment ago: it is of no use any more. */
  expire(): void {
    this.#end(this.#state.status === 'signed-in' ? 'expired' : null)
  }

  /** The person left: this tab and all others forget the session. */
  close(): void {
    this.#end('signed-out')
    this.#channel?.postMessage('closed')
  }

  /** True where the access token is still good for a call made now. */
  get fresh(): boolean {
    return this.#accessToken !== null && Date.now() < this.#expiresAt - renewBeforeMilliseconds
  }

  /**
   * Replaces both tokens; however many calls ask at once, the server is asked once, and tabs take turns.
   * False: the server refused and the session is over. A network failure is thrown and ends nothing.
   */
  async renew(): Promise<boolean> {
    this.#renewal ??= this.#inTurn(() => this.#ask()).finally(() => {
      this.#renewal = null
    })
    return this.#renewal
  }

  async #inTurn(ask: () => Promise<boolean>): Promise<boolean> {
    return 'locks' in navigator ? navigator.locks.request(lockName, ask) : ask()
  }

  async #ask(): Promise<boolean> {
    let response: Response
    let body: unknown
    try {
      const call = this.#attended ? '/api/auth/refresh' : '/api/auth/refresh?background=1'
      response = await fetch(new URL(call, location.origin), {
        method: 'POST',
        headers: { Accept: 'application/json', 'Accept-Language': currentLocale() },
        signal: AbortSignal.timeout(answerWithinMilliseconds),
      })
      const text = await response.text()
      body = readJson(text)
    } catch (cause) {
      throw new NetworkFailure({ cause })
    }
    if (response.ok) {
      if (!isRenewed(body)) throw new NetworkFailure()
      const renewed = body
      if (this.#state.status === 'signing-up') this.openSignUp(renewed.access_token)
      else this.#take(renewed)
      return true
    }
    const failure = failureOf(response, body)
    // Only the cabinet itself can say that the session is over; a limit or a proxy's page says nothing of it.
    if (failure.kind !== 'refusal' || failure.status === 429) throw failure
    this.expire()
    return false
  }

  async #follow(): Promise<void> {
    this.#accessToken = null
    this.#set({ status: 'unknown', endsAt: null }, null)
    try {
      await this.renew()
    } catch {
      // Offline: the next call of this tab finds out.
    }
  }

  #take({ access_token, expires_in, session_expires_at }: SessionOpened): void {
    this.#accessToken = access_token
    this.#expiresAt = Date.now() + expires_in * 1000
    this.#attended = false
    this.#lastEnd = null
    writeHint('open')
    const endsAt = session_expires_at === undefined ? null : Date.parse(session_expires_at)
    this.#set({ status: 'signed-in', endsAt }, null)
  }

  #end(end: SessionEnd | null): void {
    this.#accessToken = null
    this.#expiresAt = 0
    // A second refusal, heard when the session is over already, says nothing new of how it ended.
    this.#lastEnd = end ?? this.#lastEnd
    if (end === 'signed-out') {
      writeHint(null)
      forgetTabDraft()
      forgetArrivingClient()
    } else if (readHint() === 'open') writeHint('ended')
    this.#set({ status: 'guest', endsAt: null }, end)
  }

  #set(state: SessionState, end: SessionEnd | null): void {
    this.#state = state
    for (const listener of this.#listeners) listener(state, end)
  }
}

/** The session of this tab. */
export const session = new Session()
