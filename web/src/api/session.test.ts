import { waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answer, breakOff, callsOf, intercept, lose, refuse, startServer } from '@/testing/server'
import { keepInTab, keptInTab } from '@/lib/tab-storage'
import { NetworkFailure } from './failure'
import { Session, type SessionEnd } from './session'

startServer()

const opened = { access_token: 'first', expires_in: 900, notary_id: 'a-notary' }

function answerRefresh(token = 'renewed') {
  answer('post', '/api/auth/refresh', {
    access_token: token,
    refresh_token: 'cookie',
    expires_in: 900,
    notary_id: 'a-notary',
    session_expires_at: '2026-11-20T22:00:00Z',
  })
}

const sessions: Session[] = []

/** The session of a tab, with its own channel to the other tabs. */
function tab(): Session {
  const session = new Session()
  sessions.push(session)
  return session
}

beforeEach(() => localStorage.clear())
afterEach(() => {
  for (const session of sessions.splice(0)) session.dispose()
})

test('a first visit asks nothing of the server, unless the page needs a session', async () => {
  refuse('post', '/api/auth/refresh', 401, { message: 'session_expired' })
  const session = tab()
  await session.start(false)
  expect(callsOf('/api/auth/refresh')).toHaveLength(0)
  await session.start(true)
  expect(callsOf('/api/auth/refresh')).toHaveLength(1)
  expect(session.state.status).toBe('guest')
})

test('a reload starts with a refresh, and the access token is in no storage', async () => {
  tab().open(opened)
  answerRefresh()
  const reloaded = tab()
  await reloaded.start(false)
  expect(reloaded.accessToken).toBe('renewed')
  expect(reloaded.state).toEqual({ status: 'signed-in', endsAt: Date.parse('2026-11-20T22:00:00Z') })
  expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toMatch(/first|renewed|cookie/u)
})

test('the end of the session is told by the clock of the browser, however wrong that is', async () => {
  tab().open(opened)
  const now = Date.now()
  const fiveHours = 5 * 3_600_000
  const renewed = {
    ...opened,
    access_token: 'renewed',
    session_expires_at: new Date(now - fiveHours + 600_000).toISOString(),
  }
  const headers = { 'Content-Type': 'application/json', Date: new Date(now - fiveHours).toUTCString() }
  vi.spyOn(globalThis, 'fetch').mockResolvedValueOnce(new Response(JSON.stringify(renewed), { headers }))
  const session = tab()
  await session.start(false)
  const left = (session.state.endsAt ?? 0) - now
  expect(left).toBeGreaterThan(598_000)
  expect(left).toBeLessThan(602_000)
})

test('concurrent renewals share one request', async () => {
  answerRefresh()
  const session = tab()
  session.open(opened)
  const renewed = await Promise.all([session.renew(), session.renew(), session.renew()])
  expect(renewed).toEqual([true, true, true])
  expect(callsOf('/api/auth/refresh')).toHaveLength(1)
})

test('a refused refresh ends the session as expired, not as a logout', async () => {
  refuse('post', '/api/auth/refresh', 401, { message: 'session_expired' })
  const session = tab()
  session.open(opened)
  const ends: (SessionEnd | null)[] = []
  session.subscribe((_state, end) => ends.push(end))
  await expect(session.renew()).resolves.toBe(false)
  expect(session.state.status).toBe('guest')
  expect(session.accessToken).toBeNull()
  expect(ends).toEqual(['expired'])
})

test('a lost connection does not end the session', async () => {
  lose('post', '/api/auth/refresh', 1)
  const session = tab()
  session.open(opened)
  await expect(session.renew()).rejects.toBeInstanceOf(NetworkFailure)
  expect(session.state.status).toBe('signed-in')
  expect(session.accessToken).toBe('first')
})

test.each([
  ['breaks off', () => breakOff('post', '/api/auth/refresh', 1)],
  ['is a proxy’s page', () => intercept('post', '/api/auth/refresh', 200, '<h1>Sign in to the network</h1>')],
  ['is somebody else’s JSON', () => intercept('post', '/api/auth/refresh', 200, '{}')],
])('a renewal whose answer %s is a lost connection and ends nothing', async (_name, spoil) => {
  spoil()
  const session = tab()
  session.open(opened)
  await expect(session.renew()).rejects.toBeInstanceOf(NetworkFailure)
  expect(session.state.status).toBe('signed-in')
  expect(session.accessToken).toBe('first')
})

test('a refusal that a proxy gives in the cabinet’s place ends nothing', async () => {
  intercept('post', '/api/auth/refresh', 403, '<h1>Forbidden</h1>')
  const session = tab()
  session.open(opened)
  await expect(session.renew()).rejects.toMatchObject({ kind: 'server', status: 403 })
  expect(session.state.status).toBe('signed-in')
})

test('a start that found no connection can be tried again', async () => {
  lose('post', '/api/auth/refresh', 1)
  const session = tab()
  await expect(session.start(true)).rejects.toBeInstanceOf(NetworkFailure)
  answerRefresh()
  await session.start(true)
  expect(session.state.status).toBe('signed-in')
})

test('a logout in one tab ends the session in all tabs', async () => {
  const [here, there] = [tab(), tab()]
  answerRefresh()
  here.open(opened)
  await waitFor(() => expect(there.state.status).toBe('signed-in'))
  here.close()
  await waitFor(() => expect(there.state.status).toBe('guest'))
})

test('what was typed here is forgotten when the person leaves, also by a tab that was asleep, and kept when a session ends by itself', async () => {
  refuse('post', '/api/auth/refresh', 401, { message: 'session_expired' })
  keepInTab('draft', 'notary', 'typed')
  const here = tab()
  expect(keptInTab('draft', 'notary')).toBeNull()

  here.open(opened)
  keepInTab('draft', 'notary', 'typed')
  await here.renew()
  tab()
  expect(keptInTab('draft', 'notary')).toBe('typed')

  here.close()
  expect(keptInTab('draft', 'notary')).toBeNull()
})

test('a tab takes over the session of a login in another tab', async () => {
  const [here, there] = [tab(), tab()]
  there.open({ access_token: 'somebody else', expires_in: 900, notary_id: 'a-notary' })
  answerRefresh('of the new one')
  here.open(opened)
  await waitFor(() => expect(there.accessToken).toBe('of the new one'))
})

test('a sign-up that is renewed by its cookie stays a sign-up until the phone is verified', async () => {
  answerRefresh('for the code')
  const session = tab()
  session.resumeSignUp()
  await session.renew()
  expect(session.state.status).toBe('signing-up')
  expect(session.accessToken).toBe('for the code')
  expect(localStorage).toHaveLength(0)
})

test('a token that is about to expire is not sent', () => {
  vi.useFakeTimers({ now: 0 })
  const session = tab()
  session.open({ access_token: 'short', expires_in: 60, notary_id: 'a-notary' })
  expect(session.fresh).toBe(true)
  vi.setSystemTime(51_000)
  expect(session.fresh).toBe(false)
  vi.useRealTimers()
})
