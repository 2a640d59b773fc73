import { act, screen, waitFor } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { session } from '@/api/session'
import { forgetDraft, GUEST, keepDraft } from '@/forms/draft'
import { takeClientFromAddress } from '@/app/client-in-address'
import { switchLocale } from '@/i18n/i18n'
import { renderGuest } from '@/testing/render-guest'
import { koval } from '@/testing/samples'
import { answer, callsOf, lose, refuse, startServer } from '@/testing/server'
import { guestDraft, typedByGuest } from './guest-draft'

startServer()

const started = {
  success: true,
  operation_id: 'operation-1',
  otp_length: 4,
  is_phone_call: false,
  transaction_id: null,
  call_digits: null,
  is_custom_otp_code: false,
  expires_at: '2099-01-01T00:00:00Z',
  resend_at: '2099-01-01T00:00:00Z',
}

/** The moments of a login that starts now. */
const startedNow = () => ({
  ...started,
  expires_at: new Date(Date.now() + 300_000).toISOString(),
  resend_at: new Date(Date.now() + 30_000).toISOString(),
})

let page: Awaited<ReturnType<typeof renderGuest>>

beforeEach(() => forgetDraft(guestDraft))
afterEach(() => {
  page.leave()
  session.close()
  vi.useRealTimers()
})

const phoneField = () => screen.findByLabelText('Номер телефону')
const codeField = () => screen.findByLabelText('Код із SMS')

async function typePhone(phone = '0501112233') {
  const field = await phoneField()
  await page.user.type(field, phone)
  return field
}

async function toCode() {
  answer('post', '/api/auth/login', () => Promise.resolve(startedNow()))
  page = await renderGuest('/login')
  await typePhone()
  await page.user.keyboard('{Enter}')
  return codeField()
}

test('a page that gives its field the focus is announced by its own name alone', async () => {
  await toCode()
  const said = document.querySelector('[aria-live="polite"][aria-atomic="true"]')
  await waitFor(() => expect(said).toHaveTextContent(/^Код із SMS$/u))
})

test('a client whom the bank led to another browser is told not to pay again', async () => {
  page = await renderGuest('/order/0195c3f2-0000-7000-8000-000000000000/payment-status')
  await phoneField()
  expect(screen.getByText('Ви платили за посиланням від нотаріуса?')).toBeVisible()
  expect(screen.getByText(/не платіть ще раз/u)).toBeVisible()
  page.leave()
  page = await renderGuest('/order/0195c3f2-0000-7000-8000-000000000000/success')
  await phoneField()
  expect(screen.queryByText('Ви платили за посиланням від нотаріуса?')).toBeNull()
})

test('a client in the address is in no history, and waits for the form that the login leads to', async () => {
  answer('post', '/api/auth/login', started)
  answer('post', '/api/auth/login/otp', {
    access_token: 'token',
    expires_in: 900,
    notary_id: 'a-notary',
    session_expires_at: '2099-01-01T00:00:00Z',
  })
  const client = JSON.stringify({ inn: koval.inn, full_name: koval.full_name })
  page = await renderGuest('/')
  window.history.replaceState(null, '', `/?client=${encodeURIComponent(client)}`)
  takeClientFromAddress()
  answer('get', '/api/payment-types', {
    payment_types: [{ id: 'requisites', slug: 'requisites_payment' }],
  })
  answer('get', '/api/payment-types/requisites/templates', { requisites_templates: [], payment_codes: [] })
  await typePhone()
  expect(page.entry()).not.toContain(koval.inn)
  await page.user.keyboard('{Enter}')
  await codeField()
  expect(page.entry()).not.toContain(koval.inn)
  await page.user.type(await codeField(), '1234')
  expect(await screen.findByLabelText('Прізвище, ім’я, по батькові клієнта')).toHaveValue(koval.full_name)
  expect(screen.getByLabelText('Код клієнта')).toHaveValue(koval.inn)
})

test('what the server has answered is told in the language that is switched to', async () => {
  refuse('post', '/api/auth/login', 404, { message: 'phone_not_exist' })
  page = await renderGuest('/login')
  await typePhone()
  await page.user.keyboard('{Enter}')
  await screen.findByText(/Цей номер телефону не зареєстровано/u)
  await act(() => switchLocale('en'))
  expect(screen.queryByText(/Цей номер телефону/u)).not.toBeInTheDocument()
  expect(screen.getByText(/This phone number is not registered/u)).toBeVisible()
})

test('a page that needs a session leads to the login, and the login back to it', async () => {
  answer('post', '/api/auth/login', started)
  answer('post', '/api/auth/login/otp', {
    access_token: 'token',
    expires_in: 900,
    notary_id: 'a-notary',
    session_expires_at: '2099-01-01T00:00:00Z',
  })
  page = await renderGuest('/me')
  await typePhone()
  await page.user.keyboard('{Enter}')
  await page.user.type(await codeField(), '1234')
  expect(await screen.findByRole('heading', { level: 1, name: 'Картка нотаріуса' })).toBeVisible()
  expect(page.path()).toBe('/me')
  expect(callsOf('/api/auth/me')).toHaveLength(1)
})

test('the phone field opens with +380 and the focus, as a telephone field', async () => {
  page = await renderGuest('/login')
  const field = await phoneField()
  await waitFor(() => expect(field).toHaveFocus())
  expect(field).toHaveValue('+380')
  expect(field).toHaveAttribute('type', 'tel')
  expect(field).toHaveAttribute('autocomplete', 'tel')
})

test.each(['0501112233', '+38 050 111-22-33', '380501112233'])(
  '%s pasted sends the same number',
  async (typed) => {
    answer('post', '/api/auth/login', started)
    page = await renderGuest('/login')
    await page.user.clear(await phoneField())
    await page.user.paste(typed)
    await page.user.keyboard('{Enter}')
    await codeField()
    expect(callsOf('/api/auth/login').map(({ body }) => body)).toEqual([
      { phone: '+380501112233', is_agree_with_terms: false },
    ])
  },
)

test('a short number is named at the field, and stays named until it is mended', async () => {
  page = await renderGuest('/login')
  const field = await typePhone('05011')
  await page.user.click(screen.getByRole('button', { name: 'Увійти' }))
  expect(field).toHaveAccessibleDescription('Номер телефону неповний або неправильний. Перевірте його')
  expect(field).toBeInvalid()
  expect(field).toHaveFocus()
  await page.user.type(field, '1')
  expect(field).toBeValid()
  expect(callsOf('/api/auth/login')).toHaveLength(0)
})

test('what the server says stands under the field for three seconds, then quietly by the button until the next key', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  refuse('post', '/api/auth/login', 404, { message: 'phone_not_exist' })
  page = await renderGuest('/login')
  const field = await typePhone()
  await page.user.keyboard('{Enter}')
  const text = 'Цей номер телефону не зареєстровано. Перевірте номер або зареєструйтеся'
  await waitFor(() => expect(field).toHaveAccessibleDescription(text))
  await vi.advanceTimersByTimeAsync(2500)
  expect(field).toHaveAccessibleDescription(text)
  await vi.advanceTimersByTimeAsync(600)
  await waitFor(() => expect(field).not.toHaveAccessibleDescription(text))
  expect(screen.getByText(text)).toBeVisible()
  await page.user.type(field, '{Backspace}')
  expect(screen.queryByText(text)).toBeNull()
  expect(field).toHaveValue('+38 (050) 111-22-3')
})

test('too many codes: the text says how long to wait', async () => {
  page = await renderGuest('/login')
  const field = await typePhone()
  answer('post', '/api/auth/login', () => {
    throw HttpResponse.json(
      { message: 'too_many_codes', errors: {} },
      { status: 429, headers: { 'Retry-After': '540' } },
    )
  })
  await page.user.keyboard('{Enter}')
  await waitFor(() =>
    expect(field).toHaveAccessibleDescription(/^Забагато спроб[^.]*\. Зачекайте 9 хвилин\.$/u),
  )
})

test.each([
  [429, 'too_many_requests', 'Забагато спроб. Зачекайте 5 секунд.'],
  [503, 'service_unavailable', 'Сервер тимчасово недоступний. Спробуйте ще раз за хвилину'],
] as const)('%s %s: the text has one time to wait', async (status, key, text) => {
  page = await renderGuest('/login')
  const field = await typePhone()
  answer('post', '/api/auth/login', () => {
    throw HttpResponse.json({ message: key, errors: {} }, { status, headers: { 'Retry-After': '5' } })
  })
  await page.user.keyboard('{Enter}')
  await waitFor(() => expect(field).toHaveAccessibleDescription(text))
})

test('a lost connection says so and keeps the number', async () => {
  lose('post', '/api/auth/login', 1)
  page = await renderGuest('/login')
  const field = await typePhone()
  await page.user.keyboard('{Enter}')
  await waitFor(() => expect(field).toHaveAccessibleDescription(/Немає зв’язку із сервером/u))
  expect(field).toHaveValue('+38 (050) 111-22-33')
})

test('new terms: the agreement appears only when the server asks for it, and has to be ticked', async () => {
  answer('post', '/api/auth/login', started)
  refuse('post', '/api/auth/login', 422, { message: 'user_not_agreed_with_new_terms' })
  page = await renderGuest('/login')
  await typePhone()
  expect(screen.queryByRole('checkbox')).toBeNull()
  await page.user.keyboard('{Enter}')
  const agreement = await screen.findByRole('checkbox', { name: /Погоджуюся з умовами/u })
  await waitFor(() => expect(agreement).toHaveFocus())

  await page.user.click(screen.getByRole('button', { name: 'Увійти' }))
  expect(agreement).toHaveAccessibleDescription('Щоб увійти, погодьтеся з новими умовами')
  expect(callsOf('/api/auth/login')).toHaveLength(1)

  answer('post', '/api/auth/login', started)
  await page.user.click(agreement)
  await page.user.click(screen.getByRole('button', { name: 'Увійти' }))
  await codeField()
  expect(callsOf('/api/auth/login')[1]?.body).toEqual({ phone: '+380501112233', is_agree_with_terms: true })
})

test('the code page shows the number only masked, has the focus, and takes the code of a message', async () => {
  const field = await toCode()
  await waitFor(() => expect(field).toHaveFocus())
  expect(field).toHaveAttribute('autocomplete', 'one-time-code')
  expect(field).toHaveAttribute('inputmode', 'numeric')
  expect(screen.getByText('+38 (050) ***-**-33')).toBeVisible()
  expect(document.body).not.toHaveTextContent('111-22-33')
})

test('a pasted code with spaces goes by itself, once, also when Enter follows', async () => {
  const field = await toCode()
  answer('post', '/api/auth/login/otp', {
    access_token: 'token',
    expires_in: 900,
    notary_id: 'a-notary',
    session_expires_at: '2099-01-01T00:00:00Z',
  })
  await page.user.click(field)
  await page.user.paste('12 34')
  await page.user.keyboard('{Enter}')
  await waitFor(() => expect(session.state.status).toBe('signed-in'))
  expect(callsOf('/api/auth/login/otp').map(({ body }) => body)).toEqual([
    { phone: '+380501112233', otp_code: '1234', operation_id: 'operation-1' },
  ])
})

test.each([
  ['wrong_otp', 'Неправильний код. Перевірте його й спробуйте ще раз'],
  ['otp_expired', 'Строк дії коду минув. Отримайте новий код'],
  ['otp_tries_exhausted', 'Спроби ввести цей код вичерпано. Отримайте новий код'],
] as const)('%s has words of its own, and the code can be typed again', async (message, text) => {
  const field = await toCode()
  refuse('post', '/api/auth/login/otp', 422, { message })
  await page.user.type(field, '1234')
  await waitFor(() => expect(field).toHaveAccessibleDescription(text))
  await waitFor(() => expect(field).toHaveFocus())
  answer('post', '/api/auth/login/otp', {
    access_token: 'token',
    expires_in: 900,
    notary_id: 'a-notary',
    session_expires_at: '2099-01-01T00:00:00Z',
  })
  await page.user.type(field, '{Backspace}5')
  await waitFor(() => expect(callsOf('/api/auth/login/otp')).toHaveLength(2))
})

test.each([
  ['', 'Введіть OTP код'],
  ['12', 'Не вірний формат OTP коду'],
])('the code "%s" is not sent: %s', async (typed, text) => {
  const field = await toCode()
  if (typed !== '') await page.user.type(field, typed)
  await page.user.click(screen.getByRole('button', { name: 'Увійти' }))
  expect(field).toHaveAccessibleDescription(text)
  expect(callsOf('/api/auth/login/otp')).toHaveLength(0)
})

test('a new code can be asked for when the countdown is over, and belongs to a new operation', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  await toCode()
  expect(screen.getByText(/Новий код можна надіслати через 0:\d\d/u)).toBeVisible()
  await vi.advanceTimersByTimeAsync(31_000)
  answer('post', '/api/auth/login', { ...started, operation_id: 'operation-2' })
  await page.user.click(screen.getByRole('button', { name: 'Надіслати код ще раз' }))
  answer('post', '/api/auth/login/otp', {
    access_token: 'token',
    expires_in: 900,
    notary_id: 'a-notary',
    session_expires_at: '2099-01-01T00:00:00Z',
  })
  await waitFor(() => expect(callsOf('/api/auth/login')).toHaveLength(2))
  await page.user.type(await codeField(), '9876')
  await waitFor(() =>
    expect(callsOf('/api/auth/login/otp')[0]?.body).toMatchObject({
      otp_code: '9876',
      operation_id: 'operation-2',
    }),
  )
})

test('a phone that had put the page away comes back to the same step', async () => {
  await toCode()
  await page.reload()
  answer('post', '/api/auth/login/otp', {
    access_token: 'token',
    expires_in: 900,
    notary_id: 'a-notary',
    session_expires_at: '2099-01-01T00:00:00Z',
  })
  await page.user.type(await codeField(), '1234')
  await waitFor(() =>
    expect(callsOf('/api/auth/login/otp')[0]?.body).toMatchObject({ operation_id: 'operation-1' }),
  )
})

test('the way back from the code leads to the number that was typed', async () => {
  await toCode()
  page.go(-1)
  expect(await phoneField()).toHaveValue('+38 (050) 111-22-33')
})

test.each([
  [false, 'Змінити номер', '/login'],
  [false, 'Зареєструватися', '/sign-up'],
  [true, 'Змінити номер', '/login'],
  [true, 'Зареєструватися', '/sign-up'],
])('from a step (by identifier: %s) «%s» leaves no entry with the number', async (custom, link, path) => {
  answer('post', '/api/auth/login', { ...started, is_custom_otp_code: custom })
  page = await renderGuest('/login')
  await typePhone()
  await page.user.keyboard('{Enter}')
  const follow = await screen.findByRole('link', { name: link })
  expect(page.entry()).toContain('+380501112233')
  await page.user.click(follow)
  await waitFor(() => expect(page.path()).toBe(path))
  expect(page.entries()).toBe(2)
  expect(page.entry()).not.toContain('+380501112233')
})

test('a number that was typed here is not shown to the next person where the login ended in another tab', async () => {
  page = await renderGuest('/login')
  await typePhone()
  act(() => session.open({ access_token: 'token', expires_in: 900, notary_id: 'a-notary' }))
  await screen.findByRole('heading', { level: 1, name: 'Новий платіж' })
  act(() => session.close())
  expect(await phoneField()).toHaveValue('+380')
})

test('a logout in another tab forgets what was typed, although this tab did not see the login', () => {
  keepDraft(guestDraft, GUEST, {
    ...typedByGuest(),
    phone: '+38 (050) 111-22-33',
    full_name: koval.full_name,
  })
  session.close()
  expect(typedByGuest().phone).toBe('+380')
  expect(typedByGuest().full_name).toBe('')
})

test('a step that was left behind shows nothing once somebody has signed in and out', async () => {
  await toCode()
  page.go(-1)
  await phoneField()
  // In another tab.
  act(() => session.open({ access_token: 'token', expires_in: 900, notary_id: 'a-notary' }))
  await screen.findByRole('heading', { level: 1, name: 'Новий платіж' })
  act(() => session.close())
  await phoneField()
  page.go(1)
  expect(page.entry()).toContain('+380501112233')
  await waitFor(() => expect(page.entry()).not.toContain('+380501112233'))
  expect(page.path()).toBe('/login')
  expect(await phoneField()).toBeVisible()
})

test('a login goes on where the storage of the browser holds no number of sessions', async () => {
  localStorage.setItem('cabinet.sessions', 'none')
  await toCode()
  expect(page.path()).toBe('/login/otp')
  localStorage.clear()
})

test.each(['/login/otp', '/login/otp/custom', '/login/phone-call'])(
  '%s without a started login leads to it',
  async (path) => {
    page = await renderGuest(path)
    await phoneField()
    expect(page.path()).toBe('/login')
  },
)

test('an account of the custom step is asked for the registry identifier', async () => {
  answer('post', '/api/auth/login', { ...started, is_custom_otp_code: true })
  answer('post', '/api/auth/login/otp/custom', {
    access_token: 'token',
    expires_in: 900,
    notary_id: 'a-notary',
    session_expires_at: '2099-01-01T00:00:00Z',
  })
  page = await renderGuest('/login')
  await typePhone()
  await page.user.keyboard('{Enter}')
  const field = await screen.findByLabelText('Ідентифікатор у реєстрі')
  await waitFor(() => expect(field).toHaveFocus())
  await page.user.type(field, 'NOTAR-12345 та ще багато')
  expect(field).toHaveValue('NOTAR12345тащеб')
  await page.user.clear(field)
  await page.user.type(field, 'NOTAR12345{Enter}')
  await waitFor(() => expect(session.state.status).toBe('signed-in'))
  expect(callsOf('/api/auth/login/otp/custom')[0]?.body).toMatchObject({ otp_code: 'NOTAR12345' })
})

test('an identifier that a code must follow leads to the code', async () => {
  answer('post', '/api/auth/login', { ...started, is_custom_otp_code: true })
  answer('post', '/api/auth/login/otp/custom', { ...started, operation_id: 'operation-of-the-code' })
  answer('post', '/api/auth/login/otp', {
    access_token: 'token',
    expires_in: 900,
    notary_id: 'a-notary',
    session_expires_at: '2099-01-01T00:00:00Z',
  })
  page = await renderGuest('/login')
  await typePhone()
  await page.user.keyboard('{Enter}')
  await page.user.type(await screen.findByLabelText('Ідентифікатор у реєстрі'), 'NOTAR12345{Enter}')
  const code = await screen.findByLabelText('Код із SMS')
  expect(page.path()).toBe('/login/otp')
  expect(session.state.status).not.toBe('signed-in')
  await page.user.type(code, '1234')
  await waitFor(() => expect(session.state.status).toBe('signed-in'))
  expect(callsOf('/api/auth/login/otp')[0]?.body).toMatchObject({ operation_id: 'operation-of-the-code' })
})

test('an identifier with no tries left says that the login begins anew, although the server names the field', async () => {
  answer('post', '/api/auth/login', { ...started, is_custom_otp_code: true })
  refuse('post', '/api/auth/login/otp/custom', 422, {
    message: 'otp_tries_exhausted',
    errors: { otp_code: ['otp_tries_exhausted'] },
  })
  page = await renderGuest('/login')
  await typePhone()
  await page.user.keyboard('{Enter}')
  const field = await screen.findByLabelText('Ідентифікатор у реєстрі')
  await page.user.type(field, 'NOTAR99999{Enter}')
  await waitFor(() =>
    expect(field).toHaveAccessibleDescription('Цей вхід уже недійсний. Почніть вхід спочатку'),
  )
})

describe('where no code can be sent', () => {
  const call = { ...started, is_phone_call: true, transaction_id: 'transaction-1' }

  test('the login offers a call, and leads to it', async () => {
    refuse('post', '/api/auth/login', 502, { message: 'otp_not_sent', call_offered: true }, { once: true })
    page = await renderGuest('/login')
    const field = await typePhone()
    await page.user.keyboard('{Enter}')
    const button = await screen.findByRole('button', { name: 'Зателефонувати мені' })
    answer('post', '/api/auth/login', call)
    await page.user.click(button)
    await screen.findByRole('heading', { name: 'Зараз вам зателефонують' })
    expect(field).not.toBeInTheDocument()
    expect(callsOf('/api/auth/login').map(({ body }) => body)).toEqual([
      { phone: '+380501112233', is_agree_with_terms: false },
      { phone: '+380501112233', is_agree_with_terms: false, by_call: true },
    ])
  })

  test('another number, or a failure without an offer, has none', async () => {
    refuse('post', '/api/auth/login', 502, { message: 'otp_not_sent', call_offered: true }, { once: true })
    page = await renderGuest('/login')
    const field = await typePhone()
    await page.user.keyboard('{Enter}')
    await screen.findByRole('button', { name: 'Зателефонувати мені' })
    await page.user.type(field, '{Backspace}4')
    expect(screen.queryByRole('button', { name: 'Зателефонувати мені' })).toBeNull()
    refuse('post', '/api/auth/login', 502, { message: 'otp_not_sent' })
    await page.user.keyboard('{Enter}')
    await waitFor(() => expect(callsOf('/api/auth/login')).toHaveLength(2))
    expect(await screen.findByText('Не вдалося надіслати код. Спробуйте, будь ласка, пізніше')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Зателефонувати мені' })).toBeNull()
  })

  test('the page of the code offers it when no other code can be sent', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    await toCode()
    await vi.advanceTimersByTimeAsync(31_000)
    refuse('post', '/api/auth/login', 502, { message: 'otp_not_sent', call_offered: true }, { once: true })
    await page.user.click(screen.getByRole('button', { name: 'Надіслати код ще раз' }))
    const button = await screen.findByRole('button', { name: 'Зателефонувати мені' })
    answer('post', '/api/auth/login', call)
    await page.user.click(button)
    await screen.findByRole('heading', { name: 'Зараз вам зателефонують' })
    expect(callsOf('/api/auth/login').at(-1)?.body).toEqual({
      phone: '+380501112233',
      is_agree_with_terms: false,
      by_call: true,
    })
  })
})
