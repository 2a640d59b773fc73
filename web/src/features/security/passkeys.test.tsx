import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Passkey } from '@/api/passkeys'
import { session } from '@/api/session'
import { haveAuthenticator, type AskedBrowser } from '@/testing/authenticator'
import { renderRoute } from '@/testing/render-route'
import { answer, callsOf, refuse, startServer } from '@/testing/server'

startServer()

const key: Passkey = {
  id: 'passkey-1',
  label: 'Робочий комп’ютер',
  is_synced: true,
  created_at: '2026-11-20T08:00:00Z',
  last_used_at: null,
}
const other: Passkey = {
  ...key,
  id: 'passkey-2',
  label: 'Телефон',
  is_synced: false,
  last_used_at: '2026-11-21T08:00:00Z',
}

const options = {
  public_key: {
    rp: { id: 'localhost', name: 'Кабінет нотаріуса' },
    user: { id: 'AA', name: '+380 ** *** 22 33', displayName: 'Коваль Олена Іванівна' },
    challenge: 'AAAA',
    pubKeyCredParams: [{ type: 'public-key' as const, alg: -7 }],
    timeout: 300_000,
    excludeCredentials: [],
    authenticatorSelection: {
      residentKey: 'required' as const,
      requireResidentKey: true,
      userVerification: 'required' as const,
    },
    attestation: 'none' as const,
  },
}

const started = {
  operation_id: 'operation-1',
  otp_length: 4,
  sent_to: '+380 ** *** 22 33',
  expires_at: '2099-01-01T00:00:00Z',
  resend_at: '2099-01-01T00:00:00Z',
  proof: null,
  confirms_account: false,
}

/** Answers the page; `passkeys` may change while it stands. */
function answerPage(passkeys: Passkey[]): void {
  answer('get', '/api/me/sessions', {
    sessions: [
      {
        id: 'session-here',
        is_current: true,
        browser: 'Firefox, Windows',
        network: null,
        created_at: '2026-11-20T08:00:00Z',
        last_used_at: '2026-11-20T08:00:00Z',
      },
    ],
  })
  answer('get', '/api/me/card-figures', { daily_unproved_max: 50_000, told_from: 20_000 })
  answer('get', '/api/me/security-events', { events: [], next: null })
  answer('get', '/api/me/passkeys', () => ({ passkeys: [...passkeys], passkeys_max: 10 }))
}

const section = () => screen.findByRole('region', { name: 'Ключі доступу' })
const rows = async () =>
  within(await screen.findByRole('list', { name: 'Ключі доступу' })).getAllByRole('listitem')

let browser: AskedBrowser

beforeEach(() => {
  browser = haveAuthenticator()
})
afterEach(() => session.close())

describe('the list', () => {
  it('names each passkey, whether it is synced, and when it was added and used', async () => {
    answerPage([key, other])
    await renderRoute('/me/security')
    const [first, second] = await rows()
    expect(first).toHaveTextContent('Робочий комп’ютерСинхронізується')
    expect(first).toHaveTextContent('Додано: 20 листопада 2026 р. о 10:00')
    expect(first).toHaveTextContent('Ще не використовувався')
    expect(second).not.toHaveTextContent('Синхронізується')
    expect(second).toHaveTextContent('Останнє використання: 21 листопада 2026 р. о 10:00')
  })

  it('says what a code by SMS is worth beside a passkey', async () => {
    answerPage([])
    await renderRoute('/me/security')
    expect(within(await section()).getByText(/перевипустити вашу SIM-картку або випитати код/u)).toBeVisible()
  })

  it('says so where the browser has no passkeys, or there are as many as there can be', async () => {
    answerPage([])
    vi.stubGlobal('PublicKeyCredential', undefined)
    await renderRoute('/me/security')
    expect(await screen.findByText(/^Цей браузер не підтримує ключів доступу/u)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Додати ключ доступу' })).toBeNull()
  })

  it('offers no more than there can be', async () => {
    answerPage(Array.from({ length: 10 }, (_, number) => ({ ...key, id: `passkey-${number}` })))
    await renderRoute('/me/security')
    expect(await screen.findByText(/^Ключів доступу може бути не більше ніж 10/u)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Додати ключ доступу' })).toBeNull()
  })
})

async function openAdding() {
  const { user } = await renderRoute('/me/security')
  await user.click(await screen.findByRole('button', { name: 'Додати ключ доступу' }))
  const dialog = await screen.findByRole('dialog', { name: 'Додати ключ доступу' })
  const proceed = within(dialog).getByRole('button', { name: 'Продовжити' })
  return { user, dialog, proceed, label: within(dialog).getByLabelText(/^Назва ключа/u) }
}

describe('adding', () => {
  it('asks for a code first, then the browser, and sends what the server reads', async () => {
    const passkeys: Passkey[] = []
    answerPage(passkeys)
    answer('post', '/api/me/passkeys/options', options)
    refuse(
      'post',
      '/api/me/passkeys/options',
      403,
      { message: 'confirmation_required', passkey: { act: 'add', passkey_id: null } },
      { once: true },
    )
    answer('post', '/api/auth/confirmation', { ...started, passkey: { act: 'add', passkey_id: null } })
    answer('post', '/api/auth/confirmation/otp', { confirmed_until: '2099-01-01T00:00:00Z' })
    answer('post', '/api/me/passkeys/add', () => {
      passkeys.push(key)
      return key
    })
    browser.create.mockResolvedValue({
      id: 'id-1',
      type: 'public-key',
      response: { clientDataJSON: 'client', authenticatorData: 'data', transports: ['internal'] },
    })
    const { user, label, proceed } = await openAdding()
    expect(label).toHaveValue('Firefox, Windows')
    expect(browser.create).not.toHaveBeenCalled()
    await user.click(proceed)
    const proof = await screen.findByRole('dialog', { name: 'Підтвердьте додавання ключа' })
    expect(proof).toHaveTextContent('Код, щоб додати ключ доступу, надіслано на номер')
    expect(callsOf('/api/auth/confirmation')[0]?.body).toEqual({
      passkey: { act: 'add', passkey_id: null },
    })
    expect(browser.create).not.toHaveBeenCalled()
    await user.type(within(proof).getByLabelText('Код із SMS'), '1234')
    expect(await rows()).toHaveLength(1)
    expect(browser.create).toHaveBeenCalledExactlyOnceWith({ publicKey: options.public_key })
    expect(callsOf('/api/me/passkeys/add')[0]?.body).toEqual({
      label: 'Firefox, Windows',
      credential: { id: 'id-1', response: { clientDataJSON: 'client', authenticatorData: 'data' } },
    })
    expect(screen.getByText('Ключ доступу додано')).toBeInTheDocument()
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('keeps the focus near its button, which the last one that there can be takes away', async () => {
    const passkeys = Array.from({ length: 9 }, (_, number) => ({ ...key, id: `passkey-${number}` }))
    answerPage(passkeys)
    answer('post', '/api/me/passkeys/options', options)
    answer('post', '/api/me/passkeys/add', () => {
      passkeys.push(key)
      return key
    })
    browser.create.mockResolvedValue({
      id: 'id-1',
      type: 'public-key',
      response: { clientDataJSON: 'client', authenticatorData: 'data', transports: ['internal'] },
    })
    const { user, proceed } = await openAdding()
    await user.click(proceed)
    const full = await screen.findByText(/^Ключів доступу може бути не більше ніж 10/u)
    await waitFor(() => expect(full).toHaveFocus())
  })

  it('says what kept the browser from it, and can be tried again', async () => {
    answerPage([])
    answer('post', '/api/me/passkeys/options', options)
    const { user, dialog, label, proceed } = await openAdding()
    const fails = async (name: string, text: string) => {
      browser.create.mockRejectedValueOnce(new DOMException('', name))
      await user.click(proceed)
      await waitFor(() => expect(within(dialog).getByRole('alert')).toHaveTextContent(text))
    }
    await fails('NotAllowedError', 'Ключ не створено. Спробуйте ще раз: новий код не потрібен.')
    await fails('InvalidStateError', 'На цьому пристрої вже є ключ доступу до вашого кабінету.')
    await fails('SecurityError', 'Браузер не зміг створити ключ. Спробуйте на іншому пристрої')
    await user.clear(label)
    await user.click(proceed)
    expect(label).toHaveAccessibleDescription(/Введіть назву ключа/u)
    expect(callsOf('/api/me/passkeys/options')).toHaveLength(3)
    expect(callsOf('/api/me/passkeys/add')).toHaveLength(0)
  })
})

it('renames a passkey', async () => {
  const passkeys = [key]
  answerPage(passkeys)
  answer('post', '/api/me/passkeys/{id}/rename', () => {
    passkeys[0] = { ...key, label: 'Ноутбук' }
    return { success: true }
  })
  const { user } = await renderRoute('/me/security')
  await user.click(
    await screen.findByRole('button', { name: 'Перейменувати ключ доступу: Робочий комп’ютер' }),
  )
  const dialog = await screen.findByRole('dialog', { name: 'Перейменувати ключ доступу' })
  const label = within(dialog).getByLabelText(/^Назва ключа/u)
  expect(label).toHaveValue('Робочий комп’ютер')
  await user.clear(label)
  await user.type(label, 'Ноутбук{Enter}')
  await waitFor(async () => expect((await rows())[0]).toHaveTextContent('Ноутбук'))
  expect(callsOf('/api/me/passkeys/{id}/rename')[0]?.body).toEqual({ label: 'Ноутбук' })
})

it('deletes a passkey after a question, takes one that is gone for deleted, and keeps the focus', async () => {
  const passkeys = [key, other]
  answerPage(passkeys)
  const { user } = await renderRoute('/me/security')
  await user.click(await screen.findByRole('button', { name: 'Видалити ключ доступу: Телефон' }))
  const dialog = await screen.findByRole('dialog', { name: 'Видалити ключ доступу?' })
  expect(dialog).toHaveTextContent('Увійти з ключем «Телефон» більше не вийде')
  refuse('post', '/api/me/passkeys/{id}/remove', 404, { message: 'passkey_unknown' })
  passkeys.pop()
  await user.click(within(dialog).getByRole('button', { name: 'Видалити' }))
  await waitFor(async () => expect(await rows()).toHaveLength(1))
  expect(callsOf('/api/me/passkeys/{id}/remove')[0]?.params['id']).toBe('passkey-2')
  await waitFor(async () => expect(await section()).toContainElement(document.activeElement as HTMLElement))
})
