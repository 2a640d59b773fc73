import { waitFor } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { switchLocale } from '@/i18n/i18n'
import { gate } from '@/testing/gate'
import { olena } from '@/testing/samples'
import { answer, breakOff, callsOf, intercept, lose, refuse, startServer, type Call } from '@/testing/server'
import { api, confirmBy } from './client'
import { NetworkFailure, Refusal, ServerFailure } from './failure'
import { session } from './session'

startServer()

beforeEach(() => {
  session.close()
  session.open({ access_token: 'old', expires_in: 900, notary_id: 'a-notary' })
})

function answerRefresh(notary = 'a-notary') {
  answer('post', '/api/auth/refresh', {
    access_token: 'new',
    refresh_token: 'cookie',
    expires_in: 900,
    notary_id: notary,
    session_expires_at: '2026-11-20T22:00:00Z',
  })
}

const bearer = (call: Call) => call.headers.get('authorization')

/** The server accepts the new token only. */
function needNewToken(call: Call, status: 401 | 403) {
  if (bearer(call) === 'Bearer new') return
  const message = status === 401 ? 'unauthorized' : 'forbidden'
  throw HttpResponse.json({ message, errors: {} }, { status })
}

function meNeedsNewToken(status: 401 | 403) {
  answer('post', '/api/auth/me', (call) => {
    needNewToken(call, status)
    return olena
  })
}

test.each([401, 403] as const)('%i renews the session and repeats the call once', async (status) => {
  answerRefresh()
  meNeedsNewToken(status)
  await expect(api.POST('/auth/me')).resolves.toEqual(olena)
  expect(callsOf('/api/auth/me').map(bearer)).toEqual(['Bearer old', 'Bearer new'])
})

test('calls that are refused together renew the session together', async () => {
  answerRefresh()
  meNeedsNewToken(401)
  await Promise.all([1, 2, 3, 4].map(() => api.POST('/auth/me')))
  expect(callsOf('/api/auth/refresh')).toHaveLength(1)
})

test('the repeated call carries the same body', async () => {
  answerRefresh()
  answer('post', '/api/cart/item/delete', (call) => {
    needNewToken(call, 401)
    return { items_count: 0 }
  })
  await api.POST('/cart/item/delete', { body: { cart_item_id: 'item-1' } })
  expect(callsOf('/api/cart/item/delete').map(({ body }) => body)).toEqual([
    { cart_item_id: 'item-1' },
    { cart_item_id: 'item-1' },
  ])
})

test('a call that is refused again after a renewal is not repeated a second time', async () => {
  answerRefresh()
  refuse('post', '/api/auth/me', 403, { message: 'forbidden' })
  await expect(api.POST('/auth/me')).rejects.toMatchObject({ status: 403, key: 'forbidden' })
  expect(callsOf('/api/auth/me')).toHaveLength(2)
  expect(session.state.status).toBe('signed-in')
})

test('a session that is refused after a renewal ends', async () => {
  answerRefresh()
  refuse('post', '/api/auth/me', 401, { message: 'unauthorized' })
  await expect(api.POST('/auth/me')).rejects.toMatchObject({ status: 401 })
  expect(callsOf('/api/auth/me')).toHaveLength(2)
  expect(session.state.status).toBe('guest')
})

test('a session that cannot be renewed is over', async () => {
  refuse('post', '/api/auth/refresh', 401, { message: 'session_expired' })
  refuse('post', '/api/auth/me', 401, { message: 'unauthorized' })
  await expect(api.POST('/auth/me')).rejects.toBeInstanceOf(Refusal)
  expect(session.state.status).toBe('guest')
  expect(callsOf('/api/auth/me')).toHaveLength(1)
})

test('an expired token is renewed before the call', async () => {
  session.open({ access_token: 'old', expires_in: 5, notary_id: 'a-notary' })
  answerRefresh()
  meNeedsNewToken(401)
  await api.POST('/auth/me')
  expect(callsOf('/api/auth/me').map(bearer)).toEqual(['Bearer new'])
})

/** What has become of a call when a later one, of whoever is signed in by then, has been answered. */
async function outcomeOf(call: Promise<unknown>, notary: string | null): Promise<'settled' | 'open'> {
  let outcome: 'settled' | 'open' = 'open'
  const settle = () => {
    outcome = 'settled'
  }
  call.then(settle, settle)
  await waitFor(() => expect(session.notaryId).toBe(notary))
  answer('post', '/api/auth/me', olena)
  await api.POST('/auth/me')
  return outcome
}

const removed = () => api.POST('/cart/item/delete', { body: { cart_item_id: 'item-1' } })

test('a call is not repeated in the session of another notary, who has signed in in another tab', async () => {
  answerRefresh('another-notary')
  answer('post', '/api/cart/item/delete', (call) => {
    needNewToken(call, 401)
    return { items_count: 0 }
  })
  expect(await outcomeOf(removed(), 'another-notary')).toBe('open')
  expect(callsOf('/api/cart/item/delete').map(bearer)).toEqual(['Bearer old'])
})

test('a call whose token has run out is not sent in the session of another notary', async () => {
  session.open({ access_token: 'old', expires_in: 5, notary_id: 'a-notary' })
  answerRefresh('another-notary')
  answer('post', '/api/cart/item/delete', { items_count: 0 })
  expect(await outcomeOf(removed(), 'another-notary')).toBe('open')
  expect(callsOf('/api/cart/item/delete')).toHaveLength(0)
})

test.each(['an answer', 'a failure'])('%s that comes after a logout reaches nobody', async (what) => {
  const late = gate()
  answer('post', '/api/cart/item/delete', async () => {
    await late.passed
    if (what === 'a failure') throw HttpResponse.error()
    return { items_count: 0 }
  })
  const call = removed()
  await waitFor(() => expect(callsOf('/api/cart/item/delete')).toHaveLength(1))
  session.close()
  late.open()
  expect(await outcomeOf(call, null)).toBe('open')
})

test('an answer that comes after the same notary has signed in again is hers', async () => {
  const late = gate()
  answer('post', '/api/cart/item/delete', async () => {
    await late.passed
    return { items_count: 0 }
  })
  const call = removed()
  await waitFor(() => expect(callsOf('/api/cart/item/delete')).toHaveLength(1))
  session.expire()
  session.open({ access_token: 'again', expires_in: 900, notary_id: 'a-notary' })
  late.open()
  await expect(call).resolves.toEqual({ items_count: 0 })
})

test('calls without a session never renew it', async () => {
  session.close()
  refuse('post', '/api/auth/login', 403, { message: 'forbidden' })
  await expect(api.POST('/auth/login', { body: { phone: '+380501112233' } })).rejects.toBeInstanceOf(Refusal)
  expect(callsOf('/api/auth/refresh')).toHaveLength(0)
})

test('every call names the language', async () => {
  answer('post', '/api/auth/me', olena)
  await switchLocale('en')
  await api.POST('/auth/me')
  await switchLocale('uk')
  await api.POST('/auth/me')
  expect(callsOf('/api/auth/me').map(({ headers }) => headers.get('accept-language'))).toEqual(['en', 'uk'])
})

test('a refusal carries its key, its fields and what else the server says', async () => {
  refuse('post', '/api/cart/add', 409, {
    message: 'price_changed',
    errors: { amount: ['amount_invalid'] },
    price: { amount: 330, commission: 20, sum: 350 },
  })
  await expect(api.POST('/cart/add', { body: {} })).rejects.toMatchObject({
    kind: 'refusal',
    status: 409,
    key: 'price_changed',
    errors: { amount: ['amount_invalid'] },
    extra: { price: { amount: 330, commission: 20, sum: 350 } },
    retryAfter: null,
  })
})

test('a server error and a lost connection are different kinds of failure', async () => {
  refuse('post', '/api/auth/me', 500, { message: 'internal_error', request_id: 'r-1' })
  await expect(api.POST('/auth/me')).rejects.toEqual(new ServerFailure(500, 'internal_error', 'r-1'))
  lose('post', '/api/auth/me', 1)
  await expect(api.POST('/auth/me')).rejects.toBeInstanceOf(NetworkFailure)
})

test('a proxy’s error page is reported as an unavailable server', async () => {
  answer('get', '/api/cart', () => {
    throw new HttpResponse('<h1>502 Bad Gateway</h1>', {
      status: 502,
      headers: { 'Content-Type': 'text/html' },
    })
  })
  await expect(api.GET('/cart')).rejects.toMatchObject({ kind: 'server', key: 'service_unavailable' })
})

test('an incomplete body counts as a lost answer', async () => {
  breakOff('post', '/api/order/create', 1)
  await expect(api.POST('/order/create', { body: {} })).rejects.toBeInstanceOf(NetworkFailure)
})

test('a proxy’s page with status 200 counts as a lost answer', async () => {
  intercept('post', '/api/order/create', 200, '<h1>Please sign in to the network</h1>')
  await expect(api.POST('/order/create', { body: {} })).rejects.toBeInstanceOf(NetworkFailure)
})

test.each([
  '<h1>Not allowed</h1>',
  '{"message":"Forbidden"}',
  '{"message":"forbidden"}',
  '{"error":"denied"}',
  '{"message":',
])('an error that is not the cabinet’s own is not a refusal: %s', async (body) => {
  intercept('post', '/api/order/create', 422, body)
  await expect(api.POST('/order/create', { body: {} })).rejects.toMatchObject({
    kind: 'server',
    status: 422,
    key: 'service_unavailable',
  })
})

test('an aborted call is not a lost connection', async () => {
  answer('post', '/api/auth/me', olena)
  const leaving = new AbortController()
  leaving.abort()
  await expect(api.POST('/auth/me', { signal: leaving.signal })).rejects.not.toBeInstanceOf(NetworkFailure)
})

const unconfirmed = { status: 403, key: 'confirmation_required' }

const passkey = { act: 'add', passkey_id: null }

/** The server wants a proof until `asking` has returned true. */
function needConfirmation(asking: () => Promise<boolean>) {
  let confirmed = false
  const ask = vi.fn<() => Promise<boolean>>(async () => {
    confirmed = await asking()
    return confirmed
  })
  answer('post', '/api/cart/item/delete', () => {
    if (confirmed) return { items_count: 0 }
    throw HttpResponse.json({ message: 'confirmation_required', errors: {}, passkey }, { status: 403 })
  })
  return ask
}

const yes = () => Promise.resolve(true)

test('a call that needs a fresh code asks for it and is sent again with the same body', async () => {
  const ask = needConfirmation(yes)
  onTestFinished(confirmBy(ask))
  await expect(removed()).resolves.toEqual({ items_count: 0 })
  expect(ask).toHaveBeenCalledOnce()
  expect(callsOf('/api/cart/item/delete').map(({ body }) => body)).toEqual([
    { cart_item_id: 'item-1' },
    { cart_item_id: 'item-1' },
  ])
})

test('a call whose code is not given is refused, and the next one asks again', async () => {
  const ask = needConfirmation(() => Promise.resolve(false))
  onTestFinished(confirmBy(ask))
  await expect(removed()).rejects.toMatchObject(unconfirmed)
  await expect(removed()).rejects.toMatchObject(unconfirmed)
  expect(ask).toHaveBeenCalledTimes(2)
})

test('what keeps the code from being asked for is the failure of the call', async () => {
  const ask = needConfirmation(() => Promise.reject(new NetworkFailure()))
  onTestFinished(confirmBy(ask))
  await expect(removed()).rejects.toBeInstanceOf(NetworkFailure)
  expect(callsOf('/api/cart/item/delete')).toHaveLength(1)
})

test('calls that need a fresh code together ask for one', async () => {
  const given = gate()
  const ask = needConfirmation(() => given.passed.then(yes))
  onTestFinished(confirmBy(ask))
  const both = [removed(), removed()]
  await waitFor(() => expect(callsOf('/api/cart/item/delete')).toHaveLength(2))
  given.open()
  await Promise.all(both)
  expect(ask).toHaveBeenCalledOnce()
})

test('a call that needs a fresh code after its session was renewed asks for it', async () => {
  answerRefresh()
  const asked = vi.fn<() => Promise<boolean>>(yes)
  onTestFinished(confirmBy(asked))
  answer('post', '/api/cart/item/delete', (call) => {
    needNewToken(call, 401)
    if (asked.mock.calls.length > 0) return { items_count: 0 }
    throw HttpResponse.json({ message: 'confirmation_required', errors: {}, passkey }, { status: 403 })
  })
  await removed()
  expect(asked).toHaveBeenCalledOnce()
  expect(callsOf('/api/auth/refresh')).toHaveLength(1)
})

test.each([
  [5_000, 'answered'],
  [16_000, 'confirmation_required'],
] as const)(
  'where the dialog comes after %i ms, a call that waits for it is: %s',
  async (later, expected) => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    onTestFinished(() => void vi.useRealTimers())
    vi.resetModules()
    answerRefresh()
    const page = await import('./client')
    const ask = needConfirmation(yes)
    const outcome = page.api.POST('/cart/item/delete', { body: { cart_item_id: 'item-1' } }).then(
      () => 'answered',
      ({ key }: Refusal) => key,
    )
    await waitFor(() => expect(callsOf('/api/cart/item/delete')).toHaveLength(1))
    await vi.advanceTimersByTimeAsync(later)
    onTestFinished(page.confirmBy(ask))
    await expect(outcome).resolves.toBe(expected)
  },
)

test('after its dialog has left the page, a call waits for another one and is refused', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const ask = needConfirmation(yes)
  confirmBy(ask)()
  const outcome = removed().catch((failure: unknown) => failure)
  await waitFor(() => expect(callsOf('/api/cart/item/delete')).toHaveLength(1))
  await vi.advanceTimersByTimeAsync(16_000)
  expect(await outcome).toMatchObject(unconfirmed)
  expect(ask).not.toHaveBeenCalled()
})
