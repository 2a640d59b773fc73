import { expect, test } from 'vitest'
import { NetworkFailure, Refusal, ServerFailure } from './failure'
import { worthAnotherTry } from './query-client'

test.each([
  ['nothing was answered', new NetworkFailure(), 2],
  ['a fault of the server', new ServerFailure(500, 'internal_error', null), 2],
  ['the database is away', new ServerFailure(503, 'service_unavailable', null), 4],
  ['the proxy reaches no server', new ServerFailure(502, 'service_unavailable', null), 4],
  ['a refusal', new Refusal(404, 'not_found', {}, null, {}), 0],
])('after %s it is tried again as often as may help', (_, failure, tries) => {
  const worth = [0, 1, 2, 3, 4, 5].filter((failures) => worthAnotherTry(failures, failure))
  expect(worth).toHaveLength(tries)
})
