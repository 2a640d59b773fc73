import { act, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { session } from '@/api/session'
import { forgetDraft } from '@/forms/draft'
import { renderGuest } from '@/testing/render-guest'
import { answer, callsOf, refuse, startServer } from '@/testing/server'
import { guestDraft, typedByGuest } from '../guest-draft'

startServer()

const started = {
  access_token: 'only for the code',
  operation_id: 'operation-1',
  otp_length: 4,
  expires_at: new Date(Date.now() + 300_000).toISOString(),
  resend_at: new Date(Date.now() + 30_000).toISOString(),
}

let page: Awaited<ReturnType<typeof renderGuest>>

beforeEach(() => {
  forgetDraft(guestDraft)
})
afterEach(() => {
  page.leave()
  session.close()
})

async function fill() {
  await page.user.type(await screen.findByLabelText('Прізвище, ім’я, по батькові'), 'Коваль Олена Іванівна')
  await page.user.type(screen.getByLabelText('Номер телефону'), '0671234567')
  await page.user.type(screen.getByLabelText('Ідентифікатор у реєстрі'), 'NOTAR777')
  await page.user.click(screen.getByRole('checkbox'))
}

const send = () => page.user.click(screen.getByRole('button', { name: 'Зареєструватися' }))

test('an empty form: a summary with a link into each field takes the focus, and the title begins with the error', async () => {
  page = await renderGuest('/sign-up')
  await screen.findByLabelText('Прізвище, ім’я, по батькові')
  await send()
  const summary = screen.getByRole('alert')
  await waitFor(() => expect(summary).toHaveFocus())
  expect(within(summary).getAllByRole('link')).toHaveLength(4)
  expect(document.title).toMatch(/^Помилка: /u)

  await page.user.click(within(summary).getByRole('link', { name: 'Введіть ідентифікатор у реєстрі' }))
  const field = screen.getByLabelText('Ідентифікатор у реєстрі')
  expect(field).toHaveFocus()
  expect(field).toHaveAccessibleDescription(/Введіть ідентифікатор у реєстрі/u)
  await page.user.type(field, 'N')
  expect(field).toBeValid()
  expect(callsOf('/api/auth/sign-up')).toHaveLength(0)
})

test('an account is made, its code verified, and the cabinet opens', async () => {
  answer('post', '/api/auth/sign-up', started)
  answer('post', '/api/auth/sign-up/verify', {
    success: true,
    access_token: 'token',
    expires_in: 900,
    notary_id: 'a-notary',
    session_expires_at: '2099-01-01T00:00:00Z',
  })
  page = await renderGuest('/sign-up')
  await fill()
  await send()
  const code = await screen.findByLabelText('Код із SMS')
  expect(callsOf('/api/auth/sign-up')[0]?.body).toEqual({
    full_name: 'Коваль Олена Іванівна',
    phone: '+380671234567',
    registry_identifier: 'NOTAR777',
    is_agreed: true,
  })
  await page.user.type(code, '4321')
  await waitFor(() => expect(session.state.status).toBe('signed-in'))
  const verified = callsOf('/api/auth/sign-up/verify')[0]
  expect(verified?.body).toEqual({ otp_code: '4321', operation_id: 'operation-1' })
  expect(verified?.headers.get('authorization')).toBe('Bearer only for the code')
  await waitFor(() => expect(page.path()).toBe('/'))
})

test('the way back from the code loses nothing, and a verified account leaves nothing behind', async () => {
  answer('post', '/api/auth/sign-up', started)
  answer('post', '/api/auth/sign-up/verify', {
    success: true,
    access_token: 'token',
    expires_in: 900,
    notary_id: 'a-notary',
    session_expires_at: '2099-01-01T00:00:00Z',
  })
  page = await renderGuest('/sign-up')
  await fill()
  await send()
  await page.user.click(await screen.findByRole('link', { name: 'Змінити номер' }))
  expect(await screen.findByLabelText('Прізвище, ім’я, по батькові')).toHaveValue('Коваль Олена Іванівна')
  expect(screen.getByLabelText('Ідентифікатор у реєстрі')).toHaveValue('NOTAR777')
  expect(screen.getByRole('checkbox')).toBeChecked()
  expect(screen.getByLabelText('Номер телефону')).toHaveValue('+38 (067) 123-45-67')
  await send()
  await page.user.type(await screen.findByLabelText('Код із SMS'), '4321')
  await waitFor(() => expect(session.state.status).toBe('signed-in'))
  expect(callsOf('/api/auth/sign-up').map(({ body }) => body)).toEqual([
    callsOf('/api/auth/sign-up')[0]?.body,
    callsOf('/api/auth/sign-up')[0]?.body,
  ])
  expect(typedByGuest()).toEqual({ full_name: '', phone: '+380', registry_identifier: '', is_agreed: false })
})

test.each([
  ['Змінити номер', '/sign-up'],
  ['Увійти до наявного облікового запису', '/login'],
])('from the code «%s» leaves no entry with what was typed', async (link, path) => {
  answer('post', '/api/auth/sign-up', started)
  page = await renderGuest('/sign-up')
  await fill()
  await send()
  const follow = await screen.findByRole('link', { name: link })
  expect(page.entry()).toContain('NOTAR777')
  await page.user.click(follow)
  await waitFor(() => expect(page.path()).toBe(path))
  expect(page.entries()).toBe(2)
  expect(page.entry()).not.toContain('NOTAR777')
})

test('the code of a sign-up that was left behind is gone once somebody has signed in and out', async () => {
  answer('post', '/api/auth/sign-up', started)
  page = await renderGuest('/sign-up')
  await fill()
  await send()
  await screen.findByLabelText('Код із SMS')
  page.go(-1)
  await screen.findByLabelText('Прізвище, ім’я, по батькові')
  // In another tab.
  act(() => session.open({ access_token: 'token', expires_in: 900, notary_id: 'a-notary' }))
  await screen.findByRole('heading', { level: 1, name: 'Новий платіж' })
  act(() => session.close())
  await screen.findByRole('heading', { level: 1, name: 'Вхід до кабінету' })
  page.go(1)
  expect(page.entry()).toContain('NOTAR777')
  await waitFor(() => expect(page.entry()).not.toContain('NOTAR777'))
  expect(await screen.findByLabelText('Прізвище, ім’я, по батькові')).toHaveValue('')
})

test('the code can be given after a reload, when the token of the sign-up is gone', async () => {
  answer('post', '/api/auth/sign-up', started)
  page = await renderGuest('/sign-up')
  await fill()
  await send()
  await screen.findByLabelText('Код із SMS')
  session.close()
  await page.reload()
  answer('post', '/api/auth/refresh', {
    access_token: 'by the cookie',
    refresh_token: 'cookie',
    expires_in: 900,
    notary_id: 'a-notary',
    session_expires_at: '2026-11-20T22:00:00Z',
  })
  answer('post', '/api/auth/sign-up/verify', (call) => {
    if (call.headers.get('authorization') === 'Bearer by the cookie') {
      return {
        success: true,
        access_token: 'token',
        expires_in: 900,
        notary_id: 'a-notary',
        session_expires_at: '2099-01-01T00:00:00Z',
      }
    }
    throw HttpResponse.json({ message: 'unauthorized', errors: {} }, { status: 401 })
  })
  await page.user.type(await screen.findByLabelText('Код із SMS'), '4321')
  await waitFor(() => expect(session.accessToken).toBe('token'))
  // The token of a sign-up opens nothing but the sign-up's own call.
  expect(callsOf('/api/auth/me').map(({ headers }) => headers.get('authorization'))).not.toContain(
    'Bearer by the cookie',
  )
})

test('a number in use is said at the phone, and nothing that was typed is lost', async () => {
  refuse('post', '/api/auth/sign-up', 409, { message: 'phone_in_use', errors: { phone: ['phone_in_use'] } })
  page = await renderGuest('/sign-up')
  await fill()
  await send()
  const phone = screen.getByLabelText('Номер телефону')
  await waitFor(() => expect(phone).toHaveAccessibleDescription(/вже зареєстровано/u))
  expect(phone).toHaveValue('+38 (067) 123-45-67')
  expect(screen.getByLabelText('Прізвище, ім’я, по батькові')).toHaveValue('Коваль Олена Іванівна')
  expect(screen.getByRole('checkbox')).toBeChecked()
})

test('what the server refuses of another field is said at that field', async () => {
  refuse('post', '/api/auth/sign-up', 422, {
    message: 'validation_failed',
    errors: { registry_identifier: ['registry_identifier_invalid'] },
  })
  page = await renderGuest('/sign-up')
  await fill()
  await send()
  await waitFor(() =>
    expect(screen.getByLabelText('Ідентифікатор у реєстрі')).toHaveAccessibleDescription(
      /від 4 до 15 літер і цифр$/u,
    ),
  )
})

test('the code of a sign-up without a sign-up leads to it', async () => {
  page = await renderGuest('/sign-up/otp')
  await screen.findByLabelText('Прізвище, ім’я, по батькові')
  expect(page.path()).toBe('/sign-up')
})
