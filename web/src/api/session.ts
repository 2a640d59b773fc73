/**
 * The session of this tab. The access token is kept in memory, the refresh token in a cookie that no script can read. A
 * reload therefore starts with a refresh. The browser's storage only records that somebody has signed in here, so that
 * a guest's first visit sends no request.
 */
import { currentLocale } from '@/i18n/i18n'
import { forgetArrivingClient } from '@/lib/arriving-client'
import { forgetTab } from '@/lib/tab-storage'
import { failureOf, NetworkFailure, readJson } from './failure'
import type { components } from './schema'

type SessionOpened = Pick<
  components['schemas']['SessionOpened'],
  'access_token' | 'expires_in' | 'notary_id'
> & { session_expires_at?: string }

/** `signing-up`: the account exists and its phone is not verified; the token is valid for that call only. */
type SessionStatus = 'unknown' | 'guest' | 'signing-up' | 'signed-in'

/** Why the session has ended: by a logout, or because the server did not renew it. */
export type SessionEnd = 'signed-out' | 'expired'

export interface SessionState {
  readonly status: SessionStatus
  /** When the session ends, in milliseconds since the epoch by the clock of this browser; null if unknown. */
  readonly endsAt: number | null
}

function isRenewed(body: unknown): body is components['schemas']['SessionRefreshed'] {
  return (
    typeof body === 'object' &&
    body !== null &&
    'access_token' in body &&
    'notary_id' in body &&
    'expires_in' in body
  )
}

/** By how many milliseconds the server's clock is ahead of this browser's. Less than a minute is the way of the answer. */
function serverAhead(response: Response): number {
  const ahead = Date.parse(response.headers.get('Date') ?? '') - Date.now()
  return Math.abs(ahead) < 60_000 || Number.isNaN(ahead) ? 0 : ahead
}

type Listener = (state: SessionState, end: SessionEnd | null) => void

/** An access token that expires sooner than this is renewed before a call. */
const renewBeforeMilliseconds = 10_000
const answerWithinMilliseconds = 20_000
const hintKey = 'cabinet.signed-in'
const channelName = 'cabinet.session'
const lockName = 'cabinet.refresh'

/**
 * What is stored of earlier sessions: one is open, one has expired, or nothing after a logout or before the first
 * login. Undefined if the storage is not available.
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
    // Storage is not available: the next visit asks the server instead.
  }
}

export class Session {
  #state: SessionState = { status: 'unknown', endsAt: null }
  #accessToken: string | null = null
  #expiresAt = 0
  #notaryId: string | null = null
  /** How the last session of this page ended; null while one is open. */
  #lastEnd: SessionEnd | null = null
  #starting: Promise<void> | null = null
  #renewal: Promise<boolean> | null = null
  /** Whether a person was active since the session was opened or renewed. Opening a page counts. */
  #attended = true
  readonly #listeners = new Set<Listener>()
  // A browser that blocks cookies refuses channels and locks.
  readonly #channel = navigator.cookieEnabled ? new BroadcastChannel(channelName) : null

  constructor() {
    // The logout happened in another tab while this one was closed or suspended.
    if (readHint() === null) forgetTab()
    this.#channel?.addEventListener('message', (event: MessageEvent<unknown>) => {
      if (event.data === 'closed') this.#end('signed-out')
      // Somebody, perhaps another notary, has signed in in another tab. The cookie now belongs to that session.
      if (event.data === 'opened') void this.#follow()
    })
  }

  /** Closes the channel to the other tabs. For tests. */
  dispose(): void {
    this.#channel?.close()
  }

  get state(): SessionState {
    return this.#state
  }

  /** Whether the session expired while this page was open. */
  get hasExpired(): boolean {
    return this.#lastEnd === 'expired'
  }

  get accessToken(): string | null {
    return this.#accessToken
  }

  /**
   * The notary of the last session of this page, also after it has expired; null before the first one and after a logout. Another
   * notary may have signed in in another tab.
   */
  get notaryId(): string | null {
    return this.#notaryId
  }

  /** Calls back after every change. Returns a function that ends it. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Whether somebody has signed in here and not logged out. */
  get expected(): boolean {
    return readHint() === 'open'
  }

  /**
   * Finds out, once, whether somebody is signed in. Without a trace of an earlier login the server is asked only for
   * pages that need a session.
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

  /** Opens the session after a login or a verified sign-up. */
  open(opened: SessionOpened): void {
    this.#take(opened)
    this.#channel?.postMessage('opened')
  }

  /** Keeps the token of a started sign-up, which is only valid to verify the phone. */
  openSignUp(accessToken: string): void {
    this.#accessToken = accessToken
    this.#expiresAt = Number.POSITIVE_INFINITY
    this.#set({ status: 'signing-up', endsAt: null }, null)
  }

  /** Resumes a sign-up after a reload: the token is gone, but the cookie renews it for the one call. */
  resumeSignUp(): void {
    if (this.#state.status !== 'unknown' && this.#state.status !== 'guest') return
    this.#set({ status: 'signing-up', endsAt: null }, null)
  }

  /** Records activity of the notary: only then the next renewal extends the session. */
  attend(): void {
    this.#attended = true
  }

  /** Ends the session after the server refused it in spite of a renewal. */
  expire(): void {
    this.#end(this.#state.status === 'signed-in' ? 'expired' : null)
  }

  /** Ends the session after a logout, in this tab and all others. */
  close(): void {
    this.#end('signed-out')
    this.#channel?.postMessage('closed')
  }

  /** Whether the access token is valid long enough for a call. */
  get fresh(): boolean {
    return this.#accessToken !== null && Date.now() < this.#expiresAt - renewBeforeMilliseconds
  }

  /**
   * Renews both tokens. Concurrent calls share one request, and tabs take turns. Returns false if the server refused
   * and the session has ended. Throws a network failure, which does not end the session.
   */
  async renew(): Promise<boolean> {
    this.#renewal ??= this.#inTurn(() => this.#ask()).finally(() => {
      this.#renewal = null
    })
    return this.#renewal
  }

  async #inTurn(ask: () => Promise<boolean>): Promise<boolean> {
    return 'locks' in navigator && navigator.cookieEnabled ? navigator.locks.request(lockName, ask) : ask()
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
      else this.#take(renewed, serverAhead(response))
      return true
    }
    const failure = failureOf(response, body)
    // Only a refusal of the cabinet ends the session, not a rate limit or a proxy's answer.
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

  #take({ access_token, expires_in, notary_id, session_expires_at }: SessionOpened, ahead = 0): void {
    this.#notaryId = notary_id
    this.#accessToken = access_token
    this.#expiresAt = Date.now() + expires_in * 1000
    this.#attended = false
    this.#lastEnd = null
    writeHint('open')
    const endsAt = session_expires_at === undefined ? null : Date.parse(session_expires_at) - ahead
    this.#set({ status: 'signed-in', endsAt }, null)
  }

  #end(end: SessionEnd | null): void {
    this.#accessToken = null
    this.#expiresAt = 0
    // A second refusal after the end does not change the reason.
    this.#lastEnd = end ?? this.#lastEnd
    if (end === 'signed-out') {
      this.#notaryId = null
      writeHint(null)
      forgetTab()
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
