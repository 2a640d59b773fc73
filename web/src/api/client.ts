/**
 * The client of the server's API, typed by its OpenAPI document. It adds the session and the language.
 *
 *     const cart = await api.GET('/cart', { signal })
 *
 * returns the body or throws a `Failure`.
 */
import { currentLocale } from '@/i18n/i18n'
import { wait } from '@/lib/wait'
import { failureOf, NetworkFailure, readJson, Refusal } from './failure'
import type { components, paths } from './schema'
import { session } from './session'

const prefix = '/api'

/** Longer than the server waits for the acquirer, so that its answer about a slow bank arrives first. */
const answerWithinMilliseconds = 60_000

/** Calls without a session. Their 401 and 403 are not about the session. */
const guestCalls = new Set([
  '/auth/login',
  '/auth/login/otp',
  '/auth/login/otp/custom',
  '/auth/login/phone-call/verify',
  '/auth/login/passkey/options',
  '/auth/login/passkey',
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

/** Statuses without a body. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304])

/** Sends a request and reads the whole answer. An incomplete or late body counts as a lost answer. */
async function send(request: Request): Promise<Response> {
  try {
    const response = await fetch(withSession(request))
    const body = await response.arrayBuffer()
    const { status, statusText, headers } = response
    return new Response(bodiless.has(status) ? null : body, { status, statusText, headers })
  } catch (cause) {
    // A request that was aborted by its page is no network failure.
    if (request.signal.aborted) throw cause
    throw new NetworkFailure({ cause })
  }
}

/** That a new account is the notary's whom the register names. */
interface AccountToConfirm {
  readonly account: true
}

/** What must be proved: a payment or an act on the account, what is done with a passkey, or whose a new account is. */
export type WhatToProve =
  | components['schemas']['AskedProof']
  | components['schemas']['PasskeyToProve']
  | AccountToConfirm

/** Asks the notary for a proof. Resolves to whether she gave it, and throws what kept it from asking. */
type Confirm = (wanted: WhatToProve) => Promise<boolean>
let confirm: Confirm | null = null
/** The questions that are being asked, one after the other. All requests that need the same code wait for the same answer. */
const asked = new Map<string, Promise<boolean>>()

/** The dialog is loaded after the page. A request looks for it so often, at these intervals. */
const dialogLooks = 60
const dialogLookMilliseconds = 250

/** Sets what asks for a proof where the server wants one. Returns a function that undoes it. */
export function confirmBy(asking: Confirm): () => void {
  confirm = asking
  return () => {
    confirm = null
    asked.clear()
  }
}

async function dialog(looks = dialogLooks): Promise<Confirm | null> {
  if (confirm !== null || looks === 0) return confirm
  await wait(dialogLookMilliseconds)
  return dialog(looks - 1)
}

/** Asks the notary for a proof. Returns whether she gave it. */
export async function isConfirmed(wanted: WhatToProve): Promise<boolean> {
  const ask = await dialog()
  if (ask === null) return false
  const question = JSON.stringify(wanted)
  const answer =
    asked.get(question) ??
    Promise.allSettled(asked.values())
      .then(() => ask(wanted))
      .finally(() => asked.delete(question))
  asked.set(question, answer)
  return answer
}

async function needsConfirmation(response: Response): Promise<boolean> {
  return response.status === 403 && (await response.clone().text()).includes('"confirmation_required"')
}

async function whatToProve(response: Response): Promise<WhatToProve | null> {
  const refusal = failureOf(response, readJson(await response.clone().text()))
  return refusal instanceof Refusal ? (refusal.extra.proof ?? refusal.extra.passkey ?? null) : null
}

/** Sends a request. If the server wants a proof of it, the notary is asked and the same request sent again. */
async function sendInSession(request: Request, isAbandoned: () => boolean): Promise<Response> {
  const again = request.clone()
  const response = await sendAndRenew(request, isAbandoned)
  if (!(await needsConfirmation(response))) return response
  const wanted = await whatToProve(response)
  return wanted !== null && (await isConfirmed(wanted)) ? sendInSession(again, isAbandoned) : response
}

/**
 * Sends a request. After a 401 or 403 the session is renewed once and the request repeated once (specification, point 4). If the server
 * does not renew the session, the session ends and the application shows the login.
 */
async function sendAndRenew(request: Request, isAbandoned: () => boolean): Promise<Response> {
  // The token is about to expire: renewing it first saves a refused request.
  if (session.state.status === 'signed-in' && !session.fresh) await session.renew()
  if (isAbandoned()) return noAnswer()

  const again = request.clone()
  const usedToken = session.accessToken
  const response = await send(request)
  if ((response.status !== 401 && response.status !== 403) || (await needsConfirmation(response)))
    return response

  // Another call may have renewed the session meanwhile.
  const renewed = session.accessToken !== usedToken || (await session.renew())
  if (isAbandoned()) return noAnswer()
  if (!renewed || session.accessToken === null) return response
  const answer = await send(again)
  // 403 may be the final answer for a valid session; 401 means that there is none.
  if (answer.status === 401) session.expire()
  return answer
}

/**
 * Sends a request of the notary who is signed in. If this notary signs out, or another one signs in, before the answer is there, the
 * request is not repeated, and neither an answer nor a failure reaches the page: it would be the next person's.
 */
async function sessionFetch(request: Request): Promise<Response> {
  const call = new URL(request.url).pathname.slice(prefix.length)
  if (guestCalls.has(call)) return send(request)

  const { notaryId } = session
  const isAbandoned = () => notaryId !== null && session.notaryId !== notaryId
  try {
    const response = await sendInSession(request, isAbandoned)
    return isAbandoned() ? await noAnswer() : response
  } catch (error) {
    if (isAbandoned()) return noAnswer()
    throw error
  }
}

/** Never settles. */
function noAnswer(): Promise<never> {
  return new Promise(() => undefined)
}

type Method = 'get' | 'post'
type Operation<Path extends keyof paths, Verb extends Method> = Required<paths[Path]>[Verb]

/** The content of an operation's successful answer, by media type. */
type Content<Called> = Called extends { responses: { 200: { content: infer Types } } } ? Types : never
type Json<Called> = Content<Called> extends { 'application/json': infer Body } ? Body : never

/** The paths, without the prefix, that have the method and answer with the media type, or with one of several. */
type CallOf<Verb extends Method, Type extends string> = Type extends string ? CallOfOne<Verb, Type> : never
type CallOfOne<Verb extends Method, Type extends string> = {
  [Path in keyof paths]: Content<Operation<Path, Verb>> extends Readonly<Record<Type, unknown>>
    ? Path extends `${typeof prefix}${infer Call}`
      ? Call
      : never
    : never
}[keyof paths]

type OperationOf<
  Call extends string,
  Verb extends Method,
> = `${typeof prefix}${Call}` extends infer Path extends keyof paths ? Operation<Path, Verb> : never

/** What is sent with an operation. Required parts are required here, and parts that it does not have are not allowed. */
type Sent<Called> = {
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
} & (Called extends { parameters: infer Parameters }
  ? WithParameters<Pick<Parameters, keyof Parameters & ('path' | 'query')>>
  : unknown) &
  (Called extends { requestBody: { content: { 'application/json': infer Body } } }
    ? { readonly body: Body }
    : WithOptionalBody<Called>)

type WithOptionalBody<Called> = Called extends { requestBody?: infer Given }
  ? [NonNullable<Given>] extends [never]
    ? unknown
    : NonNullable<Given> extends { content: { 'application/json': infer Body } }
      ? { readonly body?: Body }
      : unknown
  : unknown

type WithParameters<Parameters> = Parameters extends { path: unknown } | { query: unknown }
  ? { readonly params: Parameters }
  : Parameters extends Readonly<Record<string, never>>
    ? unknown
    : { readonly params?: Parameters }

/** The argument is optional where nothing is required. */
type Arguments<Called> =
  Record<never, never> extends Sent<Called> ? [sent?: Sent<Called>] : [sent: Sent<Called>]

/** The untyped form of `Sent`. */
interface AnySent {
  readonly params?: {
    readonly path?: Readonly<Record<string, string>>
    readonly query?: Readonly<Record<string, string | number | null | undefined>>
  }
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

function addressOf(call: string, { path = {}, query = {} }: AnySent['params'] = {}): URL {
  const filled = call.replaceAll(/\{(\w+)\}/gu, (_, name: string) => encodeURIComponent(path[name] ?? ''))
  const address = new URL(prefix + filled, location.origin)
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) address.searchParams.set(name, String(value))
  }
  return address
}

/** Returns the answer if it is successful. Throws a `Failure` otherwise. */
async function answerOf(method: string, call: string, sent: AnySent = {}): Promise<Response> {
  const { params, body, headers, signal } = sent
  const response = await sessionFetch(
    new Request(addressOf(call, params), {
      method,
      headers: {
        Accept: 'application/json',
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    }),
  )
  if (!response.ok) throw failureOf(response, readJson(await response.text()))
  return response
}

/** Parses the body of a successful answer. A body that is not JSON, such as a proxy's page, counts as a lost answer. */
async function bodyOf(answer: Promise<Response>): Promise<unknown> {
  const text = await (await answer).text()
  const body = text === '' ? undefined : readJson(text)
  if (body === null) throw new NetworkFailure()
  return body
}

type CallWith<Verb extends Method> = <Call extends CallOf<Verb, 'application/json'>>(
  call: Call,
  ...sent: Arguments<OperationOf<Call, Verb>>
) => Promise<Json<OperationOf<Call, Verb>>>

/** The calls whose answers are JSON. */
export const api = {
  GET: ((call: string, sent?: AnySent) => bodyOf(answerOf('GET', call, sent))) as CallWith<'get'>,
  POST: ((call: string, sent?: AnySent) => bodyOf(answerOf('POST', call, sent))) as CallWith<'post'>,
}

/** The kinds of documents. */
type DocumentType =
  | 'application/pdf'
  | 'application/zip'
  | 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

type DocumentCallOf<Verb extends Method, Type extends DocumentType = DocumentType> = Type extends DocumentType
  ? CallOf<Verb, Type>
  : never

type AnswerWith<Verb extends Method> = <Call extends DocumentCallOf<Verb>>(
  call: Call,
  ...sent: Arguments<OperationOf<Call, Verb>>
) => Promise<Response>

/** The calls whose answers are documents. */
export const documents = {
  GET: ((call: string, sent?: AnySent) => answerOf('GET', call, sent)) as AnswerWith<'get'>,
  POST: ((call: string, sent?: AnySent) => answerOf('POST', call, sent)) as AnswerWith<'post'>,
}
