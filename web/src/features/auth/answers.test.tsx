import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { session } from '@/api/session'
import { forgetDraft } from '@/forms/draft'
import { renderGuest } from '@/testing/render-guest'
import { answer, callsOf, refuse, startServer } from '@/testing/server'
import { guestDraft } from './guest-draft'

startServer()

let page: Awaited<ReturnType<typeof renderGuest>>

beforeEach(() => {
  forgetDraft(guestDraft)
})
afterEach(() => {
  page.leave()
  session.close()
  vi.useRealTimers()
})

const times = () => ({
  expires_at: new Date(Date.now() + 300_000).toISOString(),
  resend_at: new Date(Date.now() + 30_000).toISOString(),
})

function answerLogin(custom: boolean) {
  answer('post', '/api/auth/login', {
    success: true,
    operation_id: 'operation-1',
    otp_length: 4,
    is_phone_call: false,
    transaction_id: null,
    call_digits: null,
    is_custom_otp_code: custom,
    ...times(),
  })
}

async function openLogin() {
  page = await renderGuest('/login')
  await page.user.type(await screen.findByLabelText('Номер телефону'), '0501112233')
}

async function openSignUp() {
  page = await renderGuest('/sign-up')
  await page.user.type(await screen.findByLabelText('Прізвище, ім’я, по батькові'), 'Коваль Олена Іванівна')
  await page.user.type(screen.getByLabelText('Номер телефону'), '0671234567')
  await page.user.type(screen.getByLabelText('Ідентифікатор у реєстрі'), 'NOTAR777')
  await page.user.click(screen.getByRole('checkbox'))
}

interface Screen {
  readonly name: string
  /** Opens the page with its field filled in. */
  readonly open: () => Promise<void>
  /** The field under which the server's answer is shown. */
  readonly field: string
  /** The typed text. */
  readonly typed: string
  readonly button: string
  readonly call: Parameters<typeof callsOf>[0]
}

const codeOfLogin: Screen = {
  name: 'the code of a login',
  open: async () => {
    answerLogin(false)
    await openLogin()
    await page.user.keyboard('{Enter}')
  },
  field: 'Код із SMS',
  typed: '1234',
  button: 'Увійти',
  call: '/api/auth/login/otp',
}
const identifierOfLogin: Screen = {
  name: 'the registry identifier of a login',
  open: async () => {
    answerLogin(true)
    await openLogin()
    await page.user.keyboard('{Enter}')
  },
  field: 'Ідентифікатор у реєстрі',
  typed: 'NOTAR12345{Enter}',
  button: 'Увійти',
  call: '/api/auth/login/otp/custom',
}
const codeOfSignUp: Screen = {
  name: 'the code of a sign-up',
  open: async () => {
    answer('post', '/api/auth/sign-up', {
      access_token: 'sign-up',
      operation_id: 'operation-1',
      otp_length: 4,
      ...times(),
    })
    await openSignUp()
    await page.user.click(screen.getByRole('button', { name: 'Зареєструватися' }))
  },
  field: 'Код із SMS',
  typed: '1234',
  button: 'Завершити реєстрацію',
  call: '/api/auth/sign-up/verify',
}
const login: Screen = {
  name: 'the login',
  open: openLogin,
  field: 'Номер телефону',
  typed: '{Enter}',
  button: 'Увійти',
  call: '/api/auth/login',
}
const signUp: Screen = {
  name: 'the sign-up',
  open: openSignUp,
  field: 'Номер телефону',
  typed: '{Enter}',
  button: 'Зареєструватися',
  call: '/api/auth/sign-up',
}

describe.each([codeOfLogin, identifierOfLogin, codeOfSignUp])('$name', ({ open, field, button, call }) => {
  it.each([
    ['', 'Введіть OTP код', 'Enter the OTP code'],
    ['12', 'Не вірний формат OTP коду', 'Invalid OTP format'],
  ])(
    'that is "%s" is not sent, and stays named in both languages until it is mended',
    async (typed, uk, en) => {
      await open()
      const input = await screen.findByLabelText(field)
      if (typed !== '') await page.user.type(input, typed)
      await page.user.click(screen.getByRole('button', { name: button }))
      expect(input).toHaveAccessibleDescription(uk)
      expect(input).toBeInvalid()
      expect(input).toHaveFocus()
      expect(callsOf(call)).toHaveLength(0)

      await page.user.click(screen.getByRole('button', { name: /^Eng/u }))
      await waitFor(() => expect(input).toHaveAccessibleDescription(en))
      await page.user.type(input, '3')
      expect(input).toBeValid()
    },
  )
})

describe.each([login, signUp, codeOfLogin, identifierOfLogin, codeOfSignUp])(
  'what the server says to $name',
  ({ open, field, typed, call }) => {
    it('stands under the field for three seconds, then quietly by the button until the next key', async () => {
      vi.useFakeTimers({ shouldAdvanceTime: true })
      await open()
      refuse('post', call, 422, { message: 'otp_not_sent' })
      const input = await screen.findByLabelText(field)
      await page.user.type(input, typed)
      const text = 'Не вдалося надіслати код. Спробуйте, будь ласка, пізніше'
      await waitFor(() => expect(input).toHaveAccessibleDescription(text))
      expect(screen.getAllByText(text)).toHaveLength(1)
      await vi.advanceTimersByTimeAsync(2500)
      expect(input).toHaveAccessibleDescription(text)
      await vi.advanceTimersByTimeAsync(600)
      await waitFor(() => expect(input).not.toHaveAccessibleDescription(text))
      expect(input).toBeValid()
      expect(screen.getByText(text)).toBeVisible()
      await vi.advanceTimersByTimeAsync(60_000)
      expect(screen.getByText(text)).toBeVisible()
      await page.user.type(input, '{Backspace}')
      expect(screen.queryByText(text)).toBeNull()
    })
  },
)

const wrongCode = {
  message: 'wrong_otp',
  uk: 'Неправильний код. Перевірте його й спробуйте ще раз',
  en: 'The code is wrong. Check it and try again',
} as const
const tooManyCodes = {
  message: 'too_many_codes',
  uk: 'Забагато спроб із цим номером. Спробуйте пізніше',
  en: 'Too many attempts with this number. Try again later',
} as const

async function typeAndSend({ field, typed }: Screen) {
  await page.user.type(await screen.findByLabelText(field), typed)
}

async function askForAnotherCode({ field }: Screen) {
  await screen.findByLabelText(field)
  await vi.advanceTimersByTimeAsync(31_000)
  await page.user.click(screen.getByRole('button', { name: 'Надіслати код ще раз' }))
}

it.each([
  {
    of: signUp,
    send: typeAndSend,
    message: 'phone_in_use',
    uk: 'Цей номер телефону вже зареєстровано. Увійдіть за ним до кабінету',
    en: 'This phone number is already registered. Log in with it',
  },
  { of: codeOfLogin, send: typeAndSend, ...wrongCode },
  { of: codeOfLogin, send: askForAnotherCode, call: login.call, ...tooManyCodes },
  {
    of: identifierOfLogin,
    send: typeAndSend,
    message: 'wrong_otp',
    uk: 'Неправильний ідентифікатор. Перевірте його й спробуйте ще раз',
    en: 'Wrong identifier. Check it and try again',
  },
  {
    of: identifierOfLogin,
    send: typeAndSend,
    message: 'otp_tries_exhausted',
    uk: 'Цей вхід уже недійсний. Почніть вхід спочатку',
    en: 'This login is no longer valid. Start again',
  },
  { of: codeOfSignUp, send: typeAndSend, ...wrongCode },
  { of: codeOfSignUp, send: askForAnotherCode, call: signUp.call, ...tooManyCodes },
] as const)(
  'the $message that the server has said to $of.name turns with the language, under the field and by the button',
  async ({ of, send, message, uk, en, ...asked }) => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    await of.open()
    const input = await screen.findByLabelText(of.field)
    refuse('post', 'call' in asked ? asked.call : of.call, 422, { message })
    await send(of)
    await screen.findByText(uk)

    await page.user.click(screen.getByRole('button', { name: /^Eng/u }))
    expect(await screen.findByText(en)).toBeVisible()
    expect(screen.queryByText(uk)).toBeNull()

    await vi.advanceTimersByTimeAsync(3100)
    await waitFor(() => expect(input).toBeValid())
    await page.user.click(screen.getByRole('button', { name: /^Укр/u }))
    expect(await screen.findByText(uk)).toBeVisible()
    expect(screen.queryByText(en)).toBeNull()
  },
)
