import type { components } from './schema'

/** A key of the server's messages; `@/i18n/message-texts` has the text of each. */
export type MessageKey = components['schemas']['MessageKey']

type RefusalBody = components['schemas']['RefusalBody']

/** The data of a refusal besides its key: the right price, the existing order, the request id. */
export type RefusalExtra = Omit<RefusalBody, 'message' | 'errors'>

/** The server understood the request and refused it; the person can act on it. */
export class Refusal extends Error {
  readonly kind = 'refusal'

  constructor(
    readonly status: number,
    readonly key: MessageKey,
    /** The invalid fields by their wire names, each with its message keys. */
    readonly errors: Readonly<Record<string, readonly MessageKey[]>>,
    /** Seconds until a retry is allowed; null if unknown. */
    readonly retryAfter: number | null,
    readonly extra: RefusalExtra,
  ) {
    super(key)
    this.name = 'Refusal'
  }
}

/** The request or its answer was lost: whether the call was carried out is unknown. */
export class NetworkFailure extends Error {
  readonly kind = 'network'

  constructor(options?: ErrorOptions) {
    super('network', options)
    this.name = 'NetworkFailure'
  }
}

/** The server or one of its dependencies failed; the input is not at fault. */
export class ServerFailure extends Error {
  readonly kind = 'server'

  constructor(
    readonly status: number,
    /** The key of the failure. */
    readonly key: MessageKey,
    /** The id to give to the support. */
    readonly requestId: string | null,
    readonly retryAfter: number | null = null,
    /** Whether a call may take the place of a code that was not sent. */
    readonly callOffered = false,
  ) {
    super(key)
    this.name = 'ServerFailure'
  }
}

export type Failure = Refusal | NetworkFailure | ServerFailure

/** Whether an error is a failed call and not a bug. */
export function isFailure(error: unknown): error is Failure {
  return error instanceof Refusal || error instanceof NetworkFailure || error instanceof ServerFailure
}

/** Whether the record does not exist or belongs to someone else. The server answers both alike. */
export function isNotFound(error: unknown): boolean {
  return error instanceof Refusal && error.status === 404
}

/** The form of a message key. A proxy's own `{"message": "Forbidden"}` does not match. */
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

/** The seconds of a `Retry-After` header; null without one, or if it is a date. */
function secondsToWait(response: Response): number | null {
  const seconds = Number.parseInt(response.headers.get('retry-after') ?? '', 10)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : null
}

/** Parses JSON; null if the text is not JSON. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Makes the typed failure from an unsuccessful answer. */
export function failureOf(response: Response, body: unknown): Refusal | ServerFailure {
  const requestId = response.headers.get('x-request-id')
  if (!isRefusalBody(body)) {
    // A proxy's page or an empty body: not an answer of the cabinet.
    return new ServerFailure(response.status, 'service_unavailable', requestId, secondsToWait(response))
  }
  const { message, errors, ...extra } = body
  if (response.status >= 500) {
    return new ServerFailure(
      response.status,
      message,
      extra.request_id ?? requestId,
      secondsToWait(response),
      extra.call_offered === true,
    )
  }
  return new Refusal(response.status, message, errors, secondsToWait(response), extra)
}
