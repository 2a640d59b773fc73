import { Refusal } from './failure'

/** Refusals after which the same request may be repeated unchanged. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([401, 403, 408, 425, 429])

/**
 * Whether the server has definitely refused a request, and with it an earlier one of the same idempotency key. Only then the next one gets
 * a new key: after a lost answer, a server failure or a rate limit it may have been carried out, so the repeat must send the same key.
 */
export function isDefinite(failure: unknown): boolean {
  return failure instanceof Refusal && !PASSING_STATUSES.has(failure.status)
}
