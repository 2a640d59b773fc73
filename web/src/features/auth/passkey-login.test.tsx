import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { session } from '@/api/session'
import { hasPasskeys } from '@/lib/passkeys'
import { haveAuthenticator, type AskedBrowser } from '@/testing/authenticator'
import { renderGuest } from '@/testing/render-guest'
import { answer, callsOf, refuse, startServer } from '@/testing/server'

startServer()

const options = {
  public_key: {
    challenge: 'AAAA',
    rpId: 'localhost',
    timeout: 300_000,
    userVerification: 'required' as const,
  },
}
const response = {
  clientDataJSON: 'client',
  authenticatorData: 'data',
  signature: 'signature',
  userHandle: 'AA',
}

let page: Awaited<ReturnType<typeof renderGuest>>
let browser: AskedBrowser

beforeEach(() => {
  browser = haveAuthenticator()
})
afterEach(() => {
  page.leave()
  session.close()
})

const enter = () => screen.findByRole('button', { name: 'Увійти з ключем доступу' })

test('the passkey is asked for after a press alone, below the ways of the login', async () => {
  answer('post', '/api/auth/login/passkey/options', options)
  answer('post', '/api/auth/login/passkey', {
    notary_id: 'notary-1',
    access_token: 'token',
    expires_in: 900,
    session_expires_at: '2099-01-01T00:00:00Z',
  })
  answer('get', '/api/order/unfinished', { orders: [] })
  browser.get.mockResolvedValue({ id: 'id-1', type: 'public-key', response })
  page = await renderGuest('/login')
  const button = await enter()
  const others = [
    screen.getByRole('button', { name: 'Увійти' }),
    screen.getByRole('link', { name: 'Зареєструватися' }),
  ]
  for (const other of others) {
    const order = button.compareDocumentPosition(other)
    expect(order & Node.DOCUMENT_POSITION_PRECEDING).not.toBe(0)
  }
  expect(callsOf('/api/auth/login/passkey/options')).toHaveLength(0)
  expect(browser.get).not.toHaveBeenCalled()
  await page.user.click(button)
  await waitFor(() => expect(session.state.status).toBe('signed-in'))
  // No `mediation`: the browser opens its own window, and fills in no field.
  expect(browser.get).toHaveBeenCalledExactlyOnceWith({ publicKey: options.public_key })
  expect(callsOf('/api/auth/login/passkey')[0]?.body).toEqual({ credential: { id: 'id-1', response } })
})

test('what kept from it is told, and the other ways stay', async () => {
  answer('post', '/api/auth/login/passkey/options', options)
  browser.get.mockRejectedValueOnce(new DOMException('', 'NotAllowedError'))
  page = await renderGuest('/login')
  await page.user.click(await enter())
  expect(await screen.findByText(/^Вхід із ключем доступу не виконано/u)).toBeVisible()
  browser.get.mockRejectedValueOnce(new DOMException('', 'SecurityError'))
  await page.user.click(await enter())
  expect(await screen.findByText(/^Браузер не зміг використати ключ доступу/u)).toBeVisible()
  browser.get.mockResolvedValue({ id: 'id-1', type: 'public-key', response })
  refuse('post', '/api/auth/login/passkey', 422, { message: 'passkey_refused' })
  await page.user.click(await enter())
  expect(await screen.findByText(/^Цей ключ доступу не підійшов/u)).toBeVisible()
  expect(screen.getByRole('button', { name: 'Увійти' })).toBeEnabled()
})

test('there is no button where the browser has no passkeys', async () => {
  vi.stubGlobal('PublicKeyCredential', undefined)
  page = await renderGuest('/login')
  await screen.findByRole('button', { name: 'Увійти' })
  expect(screen.queryByRole('button', { name: 'Увійти з ключем доступу' })).toBeNull()
})

test('an address without a name has no passkeys', async () => {
  page = await renderGuest('/login')
  expect(['localhost', 'cabinet.example', '10.example'].filter((host) => !hasPasskeys(host))).toEqual([])
  expect(['127.0.0.1', '[::1]'].filter((host) => hasPasskeys(host))).toEqual([])
})
