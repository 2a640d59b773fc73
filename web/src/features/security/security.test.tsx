import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import type { SecurityEvent, SignedInSession } from '@/api/security'
import { session as openSession } from '@/api/session'
import { gate } from '@/testing/gate'
import { renderRoute } from '@/testing/render-route'
import { answer, callsOf, lose, refuse, startServer } from '@/testing/server'

import { isUnusual } from './event-texts'

startServer()

const current: SignedInSession = {
  id: 'session-here',
  is_current: true,
  browser: 'Firefox, Windows',
  network: '198.51.100.0/24',
  created_at: '2026-11-20T08:00:00Z',
  last_used_at: '2026-11-20T10:05:00Z',
}
const other: SignedInSession = {
  ...current,
  id: 'session-there',
  is_current: false,
  browser: null,
  network: '203.0.113.0/24',
}

function event(given: Partial<SecurityEvent> = {}): SecurityEvent {
  return {
    id: `event-${String(given.kind)}-${String(given.created_at)}`,
    kind: 'signed_in',
    created_at: '2026-11-20T10:05:00Z',
    actor: 'you',
    browser: 'Firefox, Windows',
    network: '198.51.100.0/24',
    changes: [],
    ...given,
  }
}

const change = (field: string, to: string | null, from: string | null = null) => ({ field, from, to })

function answerLists(sessions: SignedInSession[], events: SecurityEvent[] = []): void {
  answer('get', '/api/me/sessions', () => ({ sessions }))
  answer('get', '/api/me/security-events', { events, next: null })
  answer('get', '/api/me/passkeys', { passkeys: [], passkeys_max: 10 })
  answer('get', '/api/me/card-figures', { daily_unproved_max: 50_000, told_from: 20_000 })
}

afterEach(() => openSession.close())

describe('where the notary is signed in', () => {
  it('marks this session, and names browser, network and times of the others', async () => {
    answerLists([current, other])
    await renderRoute('/me/security')
    const rows = within(await screen.findByRole('list', { name: 'Відкриті сеанси' })).getAllByRole('listitem')
    expect(rows).toHaveLength(2)
    expect(rows[0]).toHaveTextContent('Firefox, WindowsЦей сеанс')
    expect(within(rows[0] as HTMLElement).queryByRole('button')).toBeNull()
    expect(rows[1]).toHaveTextContent('Невідомий браузер')
    expect(rows[1]).toHaveTextContent('Останнє використання: 20 листопада 2026 р. о 12:05')
    expect(rows[1]).toHaveTextContent('Мережа: 203.0.113.0/24')
  })

  it('ends one by the keyboard, refreshes the list and keeps the focus in it', async () => {
    const sessions = [current, other]
    answerLists(sessions)
    answer('post', '/api/me/sessions/{id}/end', () => {
      sessions.pop()
      return { success: true }
    })
    const { user } = await renderRoute('/me/security')
    const end = await screen.findByRole('button', { name: 'Завершити сеанс: Невідомий браузер' })
    act(() => end.focus())
    await user.keyboard('{Enter}')
    expect(await screen.findByText('Інших відкритих сеансів немає.')).toBeVisible()
    expect(callsOf('/api/me/sessions/{id}/end')).toHaveLength(1)
    await waitFor(() => expect(screen.getByRole('list', { name: 'Відкриті сеанси' })).toHaveFocus())
    expect(screen.getByText('Сеанс завершено: Невідомий браузер')).toBeInTheDocument()
    expect(callsOf('/api/me/security-events').length).toBeGreaterThan(1)
  })

  it('takes one that has ended meanwhile for ended, and says of another failure what it is', async () => {
    const sessions = [current, other]
    answerLists(sessions)
    const { user } = await renderRoute('/me/security')
    const end = await screen.findByRole('button', { name: 'Завершити сеанс: Невідомий браузер' })
    lose('post', '/api/me/sessions/{id}/end', 1)
    await user.click(end)
    expect(await screen.findByRole('alert')).toHaveTextContent('Немає зв’язку із сервером')
    refuse('post', '/api/me/sessions/{id}/end', 404, { message: 'session_unknown' })
    sessions.pop()
    await user.click(end)
    expect(await screen.findByText('Інших відкритих сеансів немає.')).toBeVisible()
  })

  it('ends all others only after a question, once', async () => {
    const sessions = [current, other, { ...other, id: 'session-third', browser: 'Chrome, Android' }]
    answerLists(sessions)
    const answered = gate()
    answer('post', '/api/me/sessions/end-others', async () => {
      await answered.passed
      sessions.length = 1
      return { ended: 2 }
    })
    const { user } = await renderRoute('/me/security')
    const ask = await screen.findByRole('button', { name: 'Завершити всі інші сеанси' })
    await user.click(ask)
    const dialog = within(screen.getByRole('dialog', { name: 'Завершити всі інші сеанси?' }))
    await user.click(dialog.getByRole('button', { name: 'Скасувати' }))
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(ask).toHaveFocus()
    expect(callsOf('/api/me/sessions/end-others')).toHaveLength(0)
    await user.click(ask)
    const end = within(screen.getByRole('dialog')).getByRole('button', { name: /^Завершити/u })
    await user.click(end)
    await user.click(end)
    answered.open()
    expect(await screen.findByText('Інших відкритих сеансів немає.')).toBeVisible()
    expect(callsOf('/api/me/sessions/end-others')).toHaveLength(1)
    await waitFor(() => expect(screen.getByRole('list', { name: 'Відкриті сеанси' })).toHaveFocus())
  })

  it('shows a failure with a way to try again, and the events all the same', async () => {
    answerLists([current], [event({ kind: 'signed_out' })])
    lose('get', '/api/me/sessions', 1)
    const { user } = await renderRoute('/me/security')
    expect(await screen.findByText('Список сеансів не вдалося завантажити')).toBeVisible()
    expect(await screen.findByText('Вихід із кабінету')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Спробувати ще раз' }))
    expect(await screen.findByText('Цей сеанс')).toBeVisible()
  })
})

describe('what happened to the account', () => {
  it.each([
    [event({ changes: [change('login_step', 'otp')] }), 'Вхід за кодом із SMS', []],
    [
      event({ kind: 'new_device', changes: [change('login_step', 'phone_call')] }),
      'Вхід із нового пристрою',
      ['Спосіб входу: дзвінок'],
    ],
    [
      event({ kind: 'entry_failed', actor: 'stranger', changes: [change('login_step', 'otp')] }),
      'Неправильний код під час входу',
      ['хтось, хто не ввійшов до кабінету'],
    ],
    [
      event({ kind: 'entry_failed', actor: 'stranger', changes: [change('login_step', 'custom')] }),
      'Неправильний ідентифікатор під час входу',
      [],
    ],
    [
      event({
        kind: 'profile_changed',
        changes: [
          change('iban', 'UA22•••7890', 'UA21•••6001'),
          change('email', null, 'o•••@ukr.net'),
          change('notary_address', '•••', '•••'),
          change('exemption_date_finish', '2026-12-31'),
        ],
      }),
      'Змінено картку нотаріуса',
      [
        'Рахунок IBAN: UA21•••6001 → UA22•••7890',
        'Електронна пошта: o•••@ukr.net → немає',
        'Адреса робочого місця',
        'Пільга діє до: 31.12.2026',
      ],
    ],
    [
      event({
        kind: 'sessions_ended',
        actor: 'stranger',
        changes: [
          change('sessions', '1'),
          change('browser', 'Chrome, Android'),
          change('reason', 'token_replayed'),
        ],
      }),
      'Сеанс завершено: його ключ використано повторно',
      ['Браузер завершеного сеансу: Chrome, Android'],
    ],
    [
      event({
        kind: 'sessions_ended',
        actor: 'stranger',
        changes: [
          change('sessions', '1'),
          change('browser', 'Chrome, Android'),
          change('reason', 'replaced_by_login'),
        ],
      }),
      'Сеанс завершено новим входом у тому самому браузері',
      ['Браузер завершеного сеансу: Chrome, Android', 'хтось, хто не ввійшов до кабінету'],
    ],
    [
      event({
        kind: 'login_step_changed',
        actor: 'support',
        changes: [change('login_step', 'phone_call', 'otp')],
      }),
      'Змінено спосіб входу',
      ['Спосіб входу: код із SMS → дзвінок', 'служба підтримки'],
    ],
    [
      event({ kind: 'saved_card_deleted', changes: [change('card', null, '•••4242')] }),
      'Видалено збережену картку',
      [],
    ],
  ])('is told in words: %#', async (shown, title, details) => {
    answerLists([current], [shown])
    await renderRoute('/me/security')
    const row = (await screen.findByText(title)).closest('li') as HTMLElement
    for (const detail of details) expect(row).toHaveTextContent(detail)
    expect(row).toHaveTextContent('20 листопада 2026 р. о 12:05')
  })

  it.each([
    ['you', 'replaced_by_login', false],
    ['stranger', 'replaced_by_login', true],
    ['you', 'token_replayed', true],
  ] as const)(
    'is unusual only where somebody else may be in the browser: %s, %s',
    (actor, reason, unusual) => {
      const ended = event({ kind: 'sessions_ended', actor, changes: [change('reason', reason)] })
      expect(isUnusual(ended)).toBe(unusual)
    },
  )

  it('is loaded further on request, and nobody presses twice', async () => {
    answerLists([current])
    answer('get', '/api/me/security-events', ({ query }) =>
      query['before'] === undefined
        ? { events: [event({ kind: 'signed_out' })], next: 'event-1' }
        : { events: [event({ kind: 'signed_up' })], next: null },
    )
    const { user } = await renderRoute('/me/security')
    await user.click(await screen.findByRole('button', { name: 'Показати ще' }))
    expect(await screen.findByText('Реєстрацію завершено')).toBeVisible()
    expect(screen.getByText('Вихід із кабінету')).toBeVisible()
    expect(screen.getByText('Більше записів немає')).toBeVisible()
    expect(callsOf('/api/me/security-events').map(({ query }) => query)).toEqual([
      { limit: '20' },
      { limit: '20', before: 'event-1' },
    ])
  })

  it('says that there is nothing yet, and what to do about a foreign entry', async () => {
    answerLists([current])
    await renderRoute('/me/security', { locale: 'en' })
    expect(await screen.findByText('No events yet')).toBeVisible()
    expect(screen.getByText('Do you see a login or a change that was not yours?')).toBeVisible()
    expect(screen.getByRole('main')).toHaveTextContent('Call Support: +38 (044) 000-00-00.')
  })

  it('shows a failure with a way to try again', async () => {
    answerLists([current])
    lose('get', '/api/me/security-events', 1)
    const { user } = await renderRoute('/me/security')
    expect(await screen.findByText('Події не вдалося завантажити')).toBeVisible()
    answer('get', '/api/me/security-events', { events: [event({ kind: 'signed_out' })], next: null })
    await user.click(screen.getByRole('button', { name: 'Спробувати ще раз' }))
    expect(await screen.findByText('Вихід із кабінету')).toBeVisible()
  })
})
