/** The test server. Answers are typed by the server's OpenAPI document, and a call without an answer fails the test. */
import { act } from '@testing-library/react'
import { http, HttpResponse, type DefaultBodyType } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll } from 'vitest'

import type { MessageKey, RefusalExtra } from '@/api/failure'
import type { paths } from '@/api/schema'

type Method = 'get' | 'post'

type Body<Operation> = Operation extends {
  responses: { 200: { content: { 'application/json': infer Answer } } }
}
  ? Answer
  : never

/** A call as the server received it. */
export interface Call {
  readonly method: Method
  readonly path: string
  readonly params: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
  readonly headers: Headers
}

const server = setupServer()
let seen: Call[] = []

/** Call once at the top of a test file. */
export function startServer(): void {
  beforeAll(() => server.listen({ onUnhandledFrame: 'error' }))
  afterEach(() => {
    server.resetHandlers()
    seen = []
  })
  afterAll(() => server.close())
}

/** The calls of a path so far, in order. */
export function callsOf(path: keyof paths): readonly Call[] {
  return seen.filter((call) => call.path === path)
}

/** Says from now on whether the server serves. */
export function tellReadiness(isReady: boolean): void {
  server.use(http.get('*/readyz', () => new HttpResponse(null, { status: isReady ? 200 : 503 })))
}

/**
 * Resolves when everything answered so far has reached the page: a call that began later has been answered, `times` times, since the page
 * may call again after an answer.
 */
export async function answersArrived(times = 3): Promise<void> {
  server.use(http.get('*/later', () => HttpResponse.json({})))
  for (let count = 0; count < times; count += 1) {
    // One after the other.
    // oxlint-disable-next-line no-await-in-loop
    await act(async () => (await fetch('http://localhost/later')).json())
  }
}

type Resolver = (call: Call) => DefaultBodyType | Response | Promise<DefaultBodyType | Response>

function on(
  method: Method,
  path: keyof paths,
  resolve: Resolver,
  options: { readonly once?: boolean } = {},
): void {
  const pattern = `*${path.replaceAll(/\{(\w+)\}/gu, ':$1')}`
  server.use(
    http[method](
      pattern,
      async ({ request, params }) => {
        const text = method === 'post' ? await request.text() : ''
        const call: Call = {
          method,
          path,
          params,
          query: Object.fromEntries(new URL(request.url).searchParams),
          body: text === '' ? undefined : JSON.parse(text),
          headers: request.headers,
        }
        seen.push(call)
        const resolved = await resolve(call)
        return resolved instanceof Response ? resolved : HttpResponse.json(resolved)
      },
      options,
    ),
  )
}

/** Answers a call from now on, with a fixed body or with one made from the call. */
export function answer<Path extends keyof paths, Verb extends Method & keyof paths[Path]>(
  method: Verb,
  path: Path,
  body:
    | Body<paths[Path][Verb]>
    | ((call: Call) => Body<paths[Path][Verb]> | Promise<Body<paths[Path][Verb]>>),
): void {
  on(method, path, (call) => (typeof body === 'function' ? body(call) : body))
}

/** Answers a call with a document, optionally with a file name and not before `until`. */
export function answerBytes(
  method: Method,
  path: keyof paths,
  contentType: string,
  fileName?: string,
  until?: Promise<void>,
): void {
  const headers = {
    'Content-Type': contentType,
    ...(fileName !== undefined && { 'Content-Disposition': `attachment; filename="${fileName}"` }),
  }
  on(method, path, async () => {
    await until
    return new HttpResponse('bytes', { headers })
  })
}

interface Refused extends RefusalExtra {
  readonly message: MessageKey
  readonly errors?: Readonly<Record<string, readonly MessageKey[]>>
}

/** Refuses a call from now on, or once, after which the earlier answer is used again; optionally not before `after`. */
export function refuse(
  method: Method,
  path: keyof paths,
  status: number,
  refusal: Refused,
  { after, ...options }: { readonly once?: boolean; readonly after?: Promise<void> } = {},
): void {
  const resolve = async () => {
    await after
    return HttpResponse.json({ errors: {}, ...refusal }, { status })
  }
  on(method, path, resolve, options)
}

function brokenBody(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(body) {
      body.enqueue(new TextEncoder().encode('{"order": {"id"'))
      body.error(new TypeError('terminated'))
    },
  })
}

/** Breaks off the answer in the middle of its body, `times` times. */
export function breakOff(method: Method, path: keyof paths, times: number): void {
  const headers = { 'Content-Type': 'application/json' }
  for (let count = 0; count < times; count += 1) {
    on(method, path, () => new HttpResponse(brokenBody(), { headers }), { once: true })
  }
}

/** Answers as a proxy between the browser and the cabinet would, `times` times. */
export function intercept(
  method: Method,
  path: keyof paths,
  status: number,
  body: string,
  times = Number.POSITIVE_INFINITY,
): void {
  const made = () => new HttpResponse(body, { status, headers: { 'Content-Type': 'text/html' } })
  if (times === Number.POSITIVE_INFINITY) on(method, path, made)
  else for (let count = 0; count < times; count += 1) on(method, path, made, { once: true })
}

/** Loses the answer `times` times, optionally not before `after`; then the earlier answer is used again. */
export function lose(method: Method, path: keyof paths, times: number, after?: Promise<void>): void {
  const resolve = async () => {
    await after
    return HttpResponse.error()
  }
  for (let count = 0; count < times; count += 1) on(method, path, resolve, { once: true })
}
