import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { queryClient } from '@/api/query-client'
import { securityKey } from '@/api/security'
import { session } from '@/api/session'
import { renderRoute } from '@/testing/render-route'
import { answer, callsOf, lose, refuse, startServer } from '@/testing/server'

startServer()

const path = '/api/me/card-figures'

beforeEach(() => {
  answer('get', '/api/me/sessions', { sessions: [] })
  answer('get', '/api/me/security-events', { events: [], next: null })
  answer('get', '/api/me/passkeys', { passkeys: [], passkeys_max: 10 })
  answer('get', path, { daily_unproved_max: 50_000, told_from: 20_000 })
})

afterEach(() => session.close())

const daily = () => screen.findByLabelText('Без підтвердження за добу')
const told = () => screen.findByLabelText('Повідомляти про оплату від')
const save = () => screen.findByRole('button', { name: 'Зберегти' })

test('the figures that hold are shown, and larger ones are saved after a proof of them', async () => {
  const { user } = await renderRoute('/me/security')
  expect(await daily()).toHaveValue('50\u00A0000,00')
  expect(await told()).toHaveValue('20\u00A0000,00')
  const larger = { daily_unproved_max: 80_000, told_from: 20_000 }
  const proof = {
    client_id: null,
    order_id: null,
    part: null,
    card_figures: larger,
    act: null,
    sum: 80_000,
    new_recipients: 0,
    largest: null,
    beyond_daily: null,
    kinds: ['code' as const],
  }
  answer('post', path, larger)
  answer('get', path, larger)
  refuse('post', path, 403, { message: 'confirmation_required', proof }, { once: true })
  answer('post', '/api/auth/confirmation', {
    operation_id: 'operation-1',
    otp_length: 4,
    sent_to: '+380 ** *** 22 33',
    expires_at: '2099-01-01T00:00:00Z',
    resend_at: '2099-01-01T00:00:00Z',
    proof,
    passkey: null,
    confirms_account: false,
  })
  answer('post', '/api/auth/confirmation/otp', { confirmed_until: '2099-01-01T00:00:00Z' })
  await user.clear(await daily())
  await user.type(await daily(), '80000')
  await user.click(await save())
  const dialog = await screen.findByRole('dialog', { name: 'Підтвердьте нові суми' })
  expect(dialog).toHaveTextContent('80 000,00')
  await user.type(within(dialog).getByLabelText('Код із SMS'), '1234')
  expect(await screen.findByText('Суми збережено', { selector: 'form p' })).toBeVisible()
  expect(callsOf(path).flatMap(({ method, body }) => (method === 'post' ? [body] : []))).toEqual([
    larger,
    larger,
  ])
})

test('a sum that was changed elsewhere is followed, unless another one is being typed', async () => {
  const { user } = await renderRoute('/me/security')
  const readAgain = (daily_unproved_max: number, told_from: number) => {
    answer('get', path, { daily_unproved_max, told_from })
    return act(() => queryClient.invalidateQueries({ queryKey: securityKey }))
  }
  await user.clear(await told())
  await user.type(await told(), '1000')
  await readAgain(40_000, 30_000)
  expect(await daily()).toHaveValue('40\u00A0000,00')
  expect(await told()).toHaveValue('1000')
  // What was saved is no longer being typed.
  answer('post', path, { daily_unproved_max: 40_000, told_from: 1000 })
  answer('get', path, { daily_unproved_max: 40_000, told_from: 1000 })
  await user.click(await save())
  expect(await screen.findByText('Суми збережено', { selector: 'form p' })).toBeVisible()
  await readAgain(40_000, 2000)
  expect(await told()).toHaveValue('2\u00A0000,00')
})

test('what is no sum is said at its field, and a refusal below; nothing typed is lost', async () => {
  const { user } = await renderRoute('/me/security')
  await user.clear(await told())
  await user.click(await save())
  expect(await told()).toHaveAccessibleDescription(/Введіть суму/u)
  await user.type(await told(), '1000')
  // A 403 renews the session first.
  answer('post', '/api/auth/refresh', {
    access_token: 'renewed',
    refresh_token: null,
    expires_in: 900,
    notary_id: 'a-notary',
    session_expires_at: '2026-11-20T22:00:00Z',
  })
  refuse('post', path, 403, { message: 'device_too_new_for_act' })
  await user.click(await save())
  expect(await screen.findByText(/^Цей пристрій новий, тому змінити це з нього ще не можна/u)).toBeVisible()
  expect(await told()).toHaveValue('1\u00A0000,00')
})

test('figures that do not load are said not to, and load again', async () => {
  lose('get', path, 1)
  const { user } = await renderRoute('/me/security')
  expect(await screen.findByText('Суми для збережених карток не вдалося завантажити')).toBeVisible()
  answer('get', path, { daily_unproved_max: 50_000, told_from: 20_000 })
  await user.click(screen.getByRole('button', { name: 'Спробувати ще раз' }))
  await waitFor(async () => expect(await daily()).toHaveValue('50\u00A0000,00'))
})
