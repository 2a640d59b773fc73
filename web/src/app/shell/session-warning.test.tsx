import { I18nProvider } from '@lingui/react'
import { render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { session } from '@/api/session'
import { i18n, loadCatalog, switchLocale } from '@/i18n/i18n'
import { answer, callsOf, lose, refuse, startServer } from '@/testing/server'
import { catalogs } from '../catalogs'
import { SessionWarning } from './session-warning'

startServer()

const start = Date.parse('2026-11-20T10:00:00Z')
const after = (minutes: number) => new Date(start + minutes * 60_000).toISOString()

beforeEach(async () => {
  await switchLocale('uk')
  await loadCatalog(catalogs.shell)
  vi.useFakeTimers({ now: start, shouldAdvanceTime: true })
})
afterEach(() => {
  vi.useRealTimers()
  session.close()
})

function draw(endsAt: string) {
  session.open({ access_token: 'token', expires_in: 900, notary_id: 'a-notary', session_expires_at: endsAt })
  render(
    <I18nProvider i18n={i18n}>
      <SessionWarning />
    </I18nProvider>,
  )
  return userEvent.setup({ advanceTimers: vi.advanceTimersByTime })
}

function answerRefresh(endsAt: string) {
  answer('post', '/api/auth/refresh', {
    access_token: 'new',
    refresh_token: 'cookie',
    expires_in: 900,
    notary_id: 'a-notary',
    session_expires_at: endsAt,
  })
}

const warning = () => screen.queryByText(/Сеанс завершиться за/u)

test('the warning comes more than two minutes before the end, and one click takes it away', async () => {
  const user = draw(after(10))
  expect(warning()).toBeNull()
  await vi.advanceTimersByTimeAsync(7.1 * 60_000)
  await waitFor(() => expect(warning()).toHaveTextContent('Сеанс завершиться за 3 хвилини.'))
  answerRefresh(after(60))
  await user.click(screen.getByRole('button', { name: 'Продовжити сеанс' }))
  await waitFor(() => expect(warning()).toBeNull())
  expect(callsOf('/api/auth/refresh').map(({ query }) => query)).toEqual([{}])
})

test('an end that cannot be extended is announced as final', async () => {
  const user = draw(after(2))
  answerRefresh(after(2))
  await user.click(await screen.findByRole('button', { name: 'Продовжити сеанс' }))
  expect(await screen.findByText(/Після цього потрібно буде ввійти знову/u)).toBeVisible()
  expect(screen.queryByRole('button')).toBeNull()
})

test('a server that is away at the end is asked again until it says that the session is over', async () => {
  draw(after(1))
  refuse('post', '/api/auth/refresh', 401, { message: 'session_expired' })
  lose('post', '/api/auth/refresh', 1)
  await vi.advanceTimersByTimeAsync(61_000)
  await waitFor(() => expect(callsOf('/api/auth/refresh')).toHaveLength(1))
  expect(session.state.status).toBe('signed-in')
  await vi.advanceTimersByTimeAsync(6_000)
  await waitFor(() => expect(session.state.status).toBe('guest'))
})

test('when the end has come the session is over without a click', async () => {
  draw(after(1))
  refuse('post', '/api/auth/refresh', 401, { message: 'session_expired' })
  await vi.advanceTimersByTimeAsync(66_000)
  await waitFor(() => expect(session.state.status).toBe('guest'))
  expect(callsOf('/api/auth/refresh')).toHaveLength(1)
})
