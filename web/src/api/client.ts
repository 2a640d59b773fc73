/**
 * The one way to the server: typed by its own document, with the session and the language put in.
 *
 *     const cart = await unwrap(api.GET('/cart', { signal }))
 *
 * answers the body or throws a `Failure`.
 */
import createClient from 'openapi-fetch'
import { currentLocale } from '@/i18n/i18n'
import { failureOf, NetworkFailure } from './failure'
import type { paths } from './schema'
import { session } from './session'

/** The calls without the prefix that all of them share. */
type Calls = { [Path in keyof paths as Path extends `/api${infer Call}` ? Call : Path]: paths[Path] }

const prefix = '/api'

/** Longer than the server waits for the acquirer, so that its own answer about a slow bank arrives first. */
const answerWithinMilliseconds = 60_000

/** Calls of somebody who has no session: their 401 or 403 says nothing about one. */
const guestCalls = new Set([
  '/auth/login',
  '/auth/login/otp',
  '/auth/login/otp/custom',
  '/auth/login/phone-call/verify',
  '/auth/sign-up',
  '/auth/refresh',
  '/config',
])

function withSession(request: Request): Request {
  const prepared = new Request(request, {
    signal: AbortSignal.any([request.signal, AbortSignal.timeout(answerWithinMilliseconds)]),
  })
  prepared.headers.set('Accept-Language', currentLocale())
  if (session.accessToken !== null) prepared.headers.set('Authorization', `Bearer ${session.accessToken}`)
  return prepared
}

/** Statuses whose answers have no body at all. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304])

/** The whole answer. An answer whose body breaks off or does not come in time has not arrived. */
async function send(request: Request): Promise<Response> {
  try {
    const response = await fetch(withSession(request))
    const body = await response.arrayBuffer()
    const { status, statusText, headers } = response
    return new Response(bodiless.has(status) ? null : body, { status, statusText, headers })
  } catch (cause) {
    // A call that its page has given up is not a failure of the network.
    if (request.signal.aborted) throw cause
    throw new NetworkFailure({ cause })
  }
}

/**
 * Sends a call; a 401 or 403 renews the session once and repeats the call once (specification, point 4). A session that
 * the server does not renew is over: the application hears of it from the session and leads to the login.
 */
async function sessionFetch(request: Request): Promise<Response> {
  const call = new URL(request.url).pathname.slice(prefix.length)
  if (guestCalls.has(call)) return send(request)

  // The token is about to end: renewing first saves a refused call.
  if (session.state.status === 'signed-in' && !session.fresh) await session.renew()

  const again = request.clone()
  const usedToken = session.accessToken
  const response = await send(request)
  if (response.status !== 401 && response.status !== 403) return response

  // Another call may have renewed the session while this one was under way.
  const renewed = session.accessToken !== usedToken || (await session.renew())
  if (!renewed || session.accessToken === null) return response
  const answer = await send(again)
  // 403 may be the true answer to a session in force; 401 says that there is none.
  if (answer.status === 401) session.expire()
  return answer
}

export const api = createClient<Calls>({
  baseUrl: new URL(prefix, location.origin).href,
  fetch: sessionFetch,
  headers: { Accept: 'application/json' },
})

/**
 * The body of a successful answer; anything else is thrown as a `Failure`. A success that can't be read, a proxy's page in the
 * place of our JSON, tells nothing of the call.
 */
export async function unwrap<Data>(
  call: Promise<{ data?: Data; error?: unknown; response: Response }>,
): Promise<Data> {
  const { data, error, response } = await call.catch((cause: unknown) => {
    throw cause instanceof SyntaxError ? new NetworkFailure({ cause }) : cause
  })
  if (!response.ok) throw failureOf(response, error)
  return data as Data
}
