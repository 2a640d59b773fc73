import { act, screen, waitFor } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { LoginStarted } from '@/api/login'
import type { Subscription } from '@/api/realtime'
import { session } from '@/api/session'
import { forgetDraft } from '@/forms/draft'
import { renderGuest } from '@/testing/render-guest'
import { answer, callsOf, lose, refuse, startServer } from '@/testing/server'
import { guestDraft } from '../guest-draft'

/** The options of the page's subscription. */
let heard: Subscription | null = null

vi.mock('@/api/realtime', () => ({
  subscribe: (subscription: Subscription) => {
    heard = subscription
    return Promise.resolve()
  },
}))

startServer()

let page: Awaited<ReturnType<typeof renderGuest>>
let call: LoginStarted

beforeEach(async () => {
  forgetDraft(guestDraft)
  call = {
    success: true,
    operation_id: 'operation-1',
    otp_length: 4,
    is_phone_call: true,
    transaction_id: 'transaction-1',
    call_digits: null,
    is_custom_otp_code: false,
    expires_at: new Date(Date.now() + 300_000).toISOString(),
    resend_at: new Date(Date.now() + 30_000).toISOString(),
  }
  answer('post', '/api/auth/login', call)
  page = await renderGuest('/login')
  await page.user.type(await screen.findByLabelText('Номер телефону'), '0502223344{Enter}')
  await screen.findByRole('heading', { name: 'Зараз вам зателефонують' })
})

afterEach(() => {
  page.leave()
  session.close()
  vi.useRealTimers()
})

const opened = {
  access_token: 'token',
  expires_in: 900,
  notary_id: 'a-notary',
  session_expires_at: '2099-01-01T00:00:00Z',
}
const waiting = 'Чекаємо на ваше підтвердження…'
const hear = () => act(() => heard?.onHeard?.(false))
const publish = (data: unknown) => act(() => heard?.onPublication(data))
const loginAgain = () => screen.findByRole('heading', { name: 'Вхід до кабінету' })

test('the page listens to the channel of its transaction, and "1 was pressed" opens the cabinet', async () => {
  expect(heard?.channel).toBe('transaction-1')
  answer('post', '/api/auth/login/phone-call/verify', opened)
  publish({ result: 10 })
  await waitFor(() => expect(session.state.status).toBe('signed-in'))
  expect(callsOf('/api/auth/login/phone-call/verify').map(({ body }) => body)).toEqual([
    { phone: '+380502223344', transaction_id: 'transaction-1' },
  ])
  await waitFor(() => expect(page.path()).toBe('/'))
})

test.each([{ result: 20 }, {}, null])(
  'the publication %j leads back to the login, which says why',
  async (data) => {
    publish(data)
    await loginAgain()
    expect(screen.getByText('Дзвінок не підтверджено')).toBeVisible()
    expect(callsOf('/api/auth/login/phone-call/verify')).toHaveLength(0)
    expect(heard?.signal.aborted).toBe(true)
  },
)

test('a confirmation that the server refuses leads back to the login', async () => {
  refuse('post', '/api/auth/login/phone-call/verify', 409, { message: 'otp_expired' })
  publish({ result: 10 })
  await loginAgain()
  expect(session.state.status).toBe('guest')
})

test('a call that has opened its session elsewhere is not said to be unconfirmed', async () => {
  refuse('post', '/api/auth/login/phone-call/verify', 409, { message: 'call_already_used' })
  publish({ result: 10 })
  await loginAgain()
  expect(screen.getByText('Цей дзвінок уже використано')).toBeVisible()
  expect(screen.queryByText('Дзвінок не підтверджено')).toBeNull()
})

test('1 that was pressed before the channel was heard opens the cabinet', async () => {
  answer('post', '/api/auth/login/phone-call/verify', opened)
  hear()
  await waitFor(() => expect(session.state.status).toBe('signed-in'))
  expect(callsOf('/api/auth/login/phone-call/verify')).toHaveLength(1)
})

test('another key that was pressed before the channel was heard leads back to the login', async () => {
  refuse('post', '/api/auth/login/phone-call/verify', 409, { message: 'otp_expired' })
  hear()
  await loginAgain()
  expect(screen.getByText('Дзвінок не підтверджено')).toBeVisible()
})

test('a second status request waits for the first, and is not sent if the first has signed in', async () => {
  const said = Promise.withResolvers<typeof opened>()
  answer('post', '/api/auth/login/phone-call/verify', () => said.promise)
  hear()
  await waitFor(() => expect(callsOf('/api/auth/login/phone-call/verify')).toHaveLength(1))
  publish({ result: 10 })
  expect(callsOf('/api/auth/login/phone-call/verify')).toHaveLength(1)
  said.resolve(opened)
  await waitFor(() => expect(page.path()).toBe('/'))
  expect(session.state.status).toBe('signed-in')
  expect(callsOf('/api/auth/login/phone-call/verify')).toHaveLength(1)
})

test('where the channel cannot be heard, the page asks by itself until the call is confirmed', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  refuse('post', '/api/auth/login/phone-call/verify', 409, { message: 'call_not_confirmed' })
  heard?.onSilence()
  await vi.advanceTimersByTimeAsync(9000)
  expect(callsOf('/api/auth/login/phone-call/verify').length).toBeGreaterThanOrEqual(2)
  expect(screen.getByRole('heading', { name: 'Зараз вам зателефонують' })).toBeVisible()
  answer('post', '/api/auth/login/phone-call/verify', opened)
  await vi.advanceTimersByTimeAsync(4500)
  await waitFor(() => expect(session.state.status).toBe('signed-in'))
})

test('a confirmation of which the channel says nothing is asked for all the same', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  page.leave()
  page = await renderGuest('/login')
  await page.user.type(await screen.findByLabelText('Номер телефону'), '0502223344{Enter}')
  await screen.findByText(waiting)
  refuse('post', '/api/auth/login/phone-call/verify', 409, { message: 'call_not_confirmed' })
  hear()
  answer('post', '/api/auth/login/phone-call/verify', opened)
  await vi.advanceTimersByTimeAsync(12_500)
  await waitFor(() => expect(session.state.status).toBe('signed-in'))
})

test('a confirmation that is lost on the way is asked for again', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  answer('post', '/api/auth/login/phone-call/verify', opened)
  lose('post', '/api/auth/login/phone-call/verify', 1)
  publish({ result: 10 })
  await waitFor(() => expect(callsOf('/api/auth/login/phone-call/verify')).toHaveLength(1))
  expect(session.state.status).toBe('guest')
  await vi.advanceTimersByTimeAsync(4500)
  await waitFor(() => expect(session.state.status).toBe('signed-in'))
})

const away = 'Немає зв’язку із сервером. Щойно він відновиться, вхід продовжиться.'

test('a server that is away is said to be, and the page goes on by itself when it is back', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const status = screen.getByText(waiting)
  expect(status).toHaveAttribute('role', 'status')
  lose('post', '/api/auth/login/phone-call/verify', 2)
  act(() => heard?.onSilence())
  await waitFor(() => expect(status).toHaveTextContent(away))
  await vi.advanceTimersByTimeAsync(4500)
  expect(status).toHaveTextContent(away)
  refuse('post', '/api/auth/login/phone-call/verify', 409, { message: 'call_not_confirmed' })
  await vi.advanceTimersByTimeAsync(4000)
  await waitFor(() => expect(status).toHaveTextContent(waiting))
  answer('post', '/api/auth/login/phone-call/verify', opened)
  await vi.advanceTimersByTimeAsync(4500)
  await waitFor(() => expect(session.state.status).toBe('signed-in'))
})

test('a broken server, or one that was asked too often, refuses no call', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  refuse('post', '/api/auth/login/phone-call/verify', 503, { message: 'service_unavailable' })
  publish({ result: 10 })
  expect(await screen.findByText(away)).toBeVisible()
  answer('post', '/api/auth/login/phone-call/verify', () => {
    throw HttpResponse.json(
      { message: 'too_many_requests', errors: {} },
      { status: 429, headers: { 'Retry-After': '3' } },
    )
  })
  await vi.advanceTimersByTimeAsync(4500)
  expect(await screen.findByText(waiting)).toBeVisible()
})

test('a call that is over while the server is away leads back to the login, which says why', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  page.leave()
  page = await renderGuest('/login')
  await page.user.type(await screen.findByLabelText('Номер телефону'), '0502223344{Enter}')
  await screen.findByText(waiting)
  lose('post', '/api/auth/login/phone-call/verify', 1000)
  act(() => heard?.onSilence())
  expect(await screen.findByText(away)).toBeVisible()
  await vi.advanceTimersByTimeAsync(300_000)
  await loginAgain()
  expect(screen.getByText('Дзвінок не підтверджено')).toBeVisible()
})

test('the page says to press 1, and on a new device shows the digits that follow it', async () => {
  expect(screen.getByText('Виконайте вказівки оператора й натисніть 1.')).toBeVisible()
  expect(screen.queryByText('Цифри для дзвінка')).toBeNull()
  page.leave()
  answer('post', '/api/auth/login', { ...call, call_digits: '47' })
  page = await renderGuest('/login')
  await page.user.type(await screen.findByLabelText('Номер телефону'), '0502223344{Enter}')
  expect(await screen.findByRole('definition')).toHaveTextContent('4 7')
  expect(screen.getByText(/Виконайте вказівки оператора: натисніть 1, а потім/u)).toHaveTextContent('4 7.')
  expect(screen.queryByText('Виконайте вказівки оператора й натисніть 1.')).toBeNull()
})

test('one can go back without waiting', async () => {
  await page.user.click(screen.getByRole('link', { name: 'Повернутися до входу' }))
  await loginAgain()
  expect(heard?.signal.aborted).toBe(true)
  expect(page.entries()).toBe(2)
  expect(page.entry()).not.toContain('+380502223344')
  expect(await screen.findByLabelText('Номер телефону')).toHaveValue('+38 (050) 222-33-44')
})
