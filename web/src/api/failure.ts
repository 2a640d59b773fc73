import type { components } from './schema'

/** A key of the server's catalogue of messages; `@/i18n/message-texts` has the words for each. */
export type MessageKey = components['schemas']['MessageKey']

type RefusalBody = components['schemas']['RefusalBody']

/** What a refusal carries besides its key: the right price, the order that already exists, the request's id. */
export type RefusalExtra = Omit<RefusalBody, 'message' | 'errors'>

/** The server understood the call and refused it; the person can do something about it. */
export class Refusal extends Error {
  readonly kind = 'refusal'

  constructor(
    readonly status: number,
    readonly key: MessageKey,
    /** Bad fields by their name on the wire, each with its keys. */
    readonly errors: Readonly<Record<string, readonly MessageKey[]>>,
    /** Seconds until the call may be tried again, where the server named them. */
    readonly retryAfter: number | null,
    readonly extra: RefusalExtra,
  ) {
    super(key)
    this.name = 'Refusal'
  }
}

/** The call did not reach the server, or its answer did not reach us: whether it was carried out is unknown. */
export class NetworkFailure extends Error {
  readonly kind = 'network'

  constructor(options?: ErrorOptions) {
    super('network', options)
    this.name = 'NetworkFailure'
  }
}

/** The server, or something it depends on, broke: nothing the person typed is at fault. */
export class ServerFailure extends Error {
  readonly kind = 'server'

  constructor(
    readonly status: number,
    /** What broke, where the server could say it. */
    readonly key: MessageKey,
    /** What to name to the support. */
    readonly requestId: string | null,
    readonly retryAfter: number | null = null,
  ) {
    super(key)
    this.name = 'ServerFailure'
  }
}

export type Failure = Refusal | NetworkFailure | ServerFailure

/** Tells the failures of a call from the bugs of a program. */
export function isFailure(error: unknown): error is Failure {
  return error instanceof Refusal || error instanceof NetworkFailure || error instanceof ServerFailure
}

/** An id that is not there, or not hers: for the notary both are the same. */
export function isNotFound(error: unknown): boolean {
  return error instanceof Refusal && error.status === 404
}

/** A key of the catalogue, which a proxy's own `{"message": "Forbidden"}` is not. */
const KEY = /^[a-z]+(?:_[a-z0-9]+)*$/u

function isRefusalBody(body: unknown): body is RefusalBody {
  return (
    typeof body === 'object' &&
    body !== null &&
    'message' in body &&
    typeof body.message === 'string' &&
    KEY.test(body.message) &&
    'errors' in body &&
    typeof body.errors === 'object' &&
    body.errors !== null
  )
}

/** Seconds of a `Retry-After` header; null without one, or where it names a date. */
function secondsToWait(response: Response): number | null {
  const seconds = Number.parseInt(response.headers.get('retry-after') ?? '', 10)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : null
}

/** The value of a JSON text; null for any other text. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Makes the typed failure of an answer that is not a success. */
export function failureOf(response: Response, body: unknown): Refusal | ServerFailure {
  const requestId = response.headers.get('x-request-id')
  if (!isRefusalBody(body)) {
    // A proxy's page or nothing at all: not an answer of the cabinet's server.
    return new ServerFailure(response.status, 'service_unavailable', requestId, secondsToWait(response))
  }
  const { message, errors, ...extra } = body
  if (response.status >= 500) {
    return new ServerFailure(response.status, message, extra.request_id ?? requestId, secondsToWait(response))
  }
  return new Refusal(response.status, message, errors, secondsToWait(response), extra)
}
