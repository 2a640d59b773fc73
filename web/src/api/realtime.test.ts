import { waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { realtimeServer } from '@/testing/realtime-server'
import { config } from '@/testing/samples'
import { answer, callsOf, refuse, startServer } from '@/testing/server'
import type { Subscription } from './realtime'

vi.unmock('@/api/realtime')
const { subscribe } = await vi.importActual<{ subscribe: (wish: Subscription) => Promise<void> }>(
  '@/api/realtime',
)

startServer()

const channel = 'notary:1'
let leaving: AbortController

beforeEach(() => {
  leaving = new AbortController()
  realtimeServer.start()
  vi.stubGlobal('WebSocket', realtimeServer.WebSocket)
  answer('get', '/api/config', config)
  answer('get', '/api/cntr/tkn', () => ({ token: `token ${callsOf('/api/cntr/tkn').length}` }))
})
afterEach(() => {
  leaving.abort()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** Subscribes and returns what was received. */
function listen() {
  const heard = {
    onPublication: vi.fn<(data: unknown) => void>(),
    onSilence: vi.fn<() => void>(),
    onHeard: vi.fn<(missed: boolean) => void>(),
    onClosed: vi.fn<() => void>(),
  }
  void subscribe({ channel, signal: leaving.signal, ...heard })
  return heard
}

const tokens = () =>
  realtimeServer.sockets.flatMap(({ commands }) =>
    commands.flatMap(({ connect, refresh }) => connect?.token ?? refresh?.token ?? []),
  )
const subscriptions = () =>
  realtimeServer.sockets.flatMap(({ commands }) => commands.flatMap(({ subscribe: wish }) => wish ?? []))

test('messages of the channel are received, with a token from the server', async () => {
  const heard = listen()
  await waitFor(() => expect(heard.onHeard).toHaveBeenCalledExactlyOnceWith(false))
  realtimeServer.publish(channel, { order: { id: '1' } })
  await waitFor(() => expect(heard.onPublication).toHaveBeenCalledExactlyOnceWith({ order: { id: '1' } }))
  expect(realtimeServer.latest.url).toBe(`${location.origin.replace('http', 'ws')}/connection/websocket`)
  expect(tokens()).toEqual(['token 1'])
  expect(heard.onSilence).not.toHaveBeenCalled()
})

test('an expiring token is renewed by the same call, and no message is missed', async () => {
  realtimeServer.ttl = 0.05
  const heard = listen()
  await waitFor(() => expect(tokens()).toContain('token 2'))
  realtimeServer.publish(channel, 'still here')
  await waitFor(() => expect(heard.onPublication).toHaveBeenCalledWith('still here'))
  expect(realtimeServer.sockets).toHaveLength(1)
  expect(heard.onSilence).not.toHaveBeenCalled()
})

test('a broken connection is reported, and the next one continues from the same place', async () => {
  const heard = listen()
  await waitFor(() => expect(heard.onHeard).toHaveBeenCalledOnce())
  realtimeServer.publish(channel, 'first')
  await waitFor(() => expect(heard.onPublication).toHaveBeenCalledWith('first'))

  realtimeServer.recovers = [{ data: 'meanwhile', offset: 2 }]
  realtimeServer.place = 2
  realtimeServer.latest.close(1006)
  await waitFor(() => expect(heard.onSilence).toHaveBeenCalled())
  await waitFor(() => expect(heard.onHeard).toHaveBeenCalledTimes(2))
  expect(subscriptions()[1]).toMatchObject({ channel, recover: true, offset: 1, epoch: 'epoch' })
  await waitFor(() => expect(heard.onPublication.mock.calls).toEqual([['first'], ['meanwhile']]))
  expect(heard.onHeard).toHaveBeenLastCalledWith(false)
  expect(heard.onClosed).not.toHaveBeenCalled()
})

test('messages that cannot be recovered are reported as missed', async () => {
  const heard = listen()
  await waitFor(() => expect(heard.onHeard).toHaveBeenCalledOnce())
  realtimeServer.recovers = null
  realtimeServer.latest.close(3008, 'slow')
  await waitFor(() => expect(heard.onHeard).toHaveBeenLastCalledWith(true))
})

test('a token that has ended while the connection was away is replaced by a fresh one', async () => {
  const heard = listen()
  await waitFor(() => expect(heard.onHeard).toHaveBeenCalledOnce())
  const { answer: usual } = realtimeServer
  realtimeServer.answer = (command) =>
    command.connect?.token === 'token 1' ? { error: { code: 109, message: 'token expired' } } : usual(command)
  realtimeServer.latest.close(1006)
  await waitFor(() => expect(heard.onHeard).toHaveBeenCalledTimes(2))
  expect(tokens()).toEqual(['token 1', 'token 1', 'token 2'])
})

test('a failed connection is reported, and repeated until it succeeds', async () => {
  realtimeServer.reachable = false
  const heard = listen()
  await waitFor(() => expect(heard.onSilence).toHaveBeenCalled())
  expect(heard.onHeard).not.toHaveBeenCalled()
  realtimeServer.reachable = true
  await waitFor(() => expect(heard.onHeard).toHaveBeenCalledWith(false))
})

/** The tokens that a client uses after the server has closed its connection for good. */
async function tokensOfReturn(heard: ReturnType<typeof listen>) {
  await waitFor(() => expect(heard.onSilence).toHaveBeenCalled())
  heard.onHeard.mockClear()
  await vi.advanceTimersByTimeAsync(40_000)
  expect(realtimeServer.sockets).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(21_000)
  await waitFor(() => expect(heard.onHeard).toHaveBeenCalled())
  return tokens()
}

test('a minute after the server has closed the connection for good, the client reconnects with a fresh token', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const heard = listen()
  await waitFor(() => expect(heard.onHeard).toHaveBeenCalledOnce())
  expect(heard.onClosed).not.toHaveBeenCalled()
  realtimeServer.latest.close(3500, 'invalid token')
  expect(await tokensOfReturn(heard)).toEqual(['token 1', 'token 2'])
  expect(heard.onClosed).toHaveBeenCalledOnce()
})

test('the client also reconnects when the first connection was refused for good', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { answer: usual } = realtimeServer
  realtimeServer.answer = () => {
    realtimeServer.answer = usual
    realtimeServer.latest.close(3500, 'invalid token')
    return null
  }
  expect(await tokensOfReturn(listen())).toEqual(['token 1', 'token 2'])
})

test('a channel that the server refuses is reported as unavailable', async () => {
  const { answer: usual } = realtimeServer
  realtimeServer.answer = (command) =>
    command.subscribe ? { error: { code: 103, message: 'permission denied' } } : usual(command)
  const heard = listen()
  await waitFor(() => expect(heard.onSilence).toHaveBeenCalled())
  expect(heard.onHeard).not.toHaveBeenCalled()
})

test('without a token the channel is reported as unavailable', async () => {
  refuse('get', '/api/cntr/tkn', 503, { message: 'service_unavailable' })
  const heard = listen()
  await waitFor(() => expect(heard.onSilence).toHaveBeenCalled())
  expect(realtimeServer.sockets.flatMap(({ commands }) => commands)).toEqual([])
})

test('aborting ends the connection, and no more messages are received', async () => {
  const heard = listen()
  await waitFor(() => expect(heard.onHeard).toHaveBeenCalledOnce())
  const { latest } = realtimeServer
  leaving.abort()
  await waitFor(() => expect(latest.closed).toBe(true))
  realtimeServer.publish(channel, 'too late')
  await Promise.resolve()
  expect(heard.onPublication).not.toHaveBeenCalled()
  expect(heard.onSilence).not.toHaveBeenCalled()
  expect(realtimeServer.sockets).toHaveLength(1)
})
