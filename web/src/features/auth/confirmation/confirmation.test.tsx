import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { api } from '@/api/client'
import type { PaymentToProve, StartedConfirmation, StartedPasskeyProof } from '@/api/confirmation'
import { session } from '@/api/session'
import { catalogs } from '@/app/catalogs'
import { loadCatalog } from '@/i18n/i18n'
import { haveAuthenticator } from '@/testing/authenticator'
import { gate } from '@/testing/gate'
import { renderUi } from '@/testing/render-ui'
import { config, olena, order, summaryOf } from '@/testing/samples'
import { answer, answersArrived, callsOf, refuse, startServer } from '@/testing/server'
import { Confirmation } from './confirmation'

startServer()

const byCode: StartedConfirmation = {
  operation_id: 'operation-1',
  proof: null,
  passkey: null,
  confirms_account: false,
  otp_length: 4,
  sent_to: '+380 ** *** 33 44',
  expires_at: new Date(Date.now() + 300_000).toISOString(),
  resend_at: '2000-01-01T00:00:00Z',
}

const start = '/api/auth/confirmation'
const verifyCode = '/api/auth/confirmation/otp'
const loadTexts = vi.fn<() => Promise<unknown>>()

let user: Awaited<ReturnType<typeof renderUi>>

beforeEach(async () => {
  session.close()
  session.open({ access_token: 'token', expires_in: 900, notary_id: 'a-notary' })
  answer('get', '/api/config', config)
  answer('post', '/api/me', olena)
  loadTexts.mockReset()
  loadTexts.mockImplementation(() => Promise.all([loadCatalog(catalogs.auth), loadCatalog(catalogs.proof)]))
  user = await renderUi(<Confirmation loadTexts={loadTexts} />)
})

const nothing: PaymentToProve = {
  client_id: null,
  order_id: null,
  part: null,
  card_figures: null,
  act: null,
  sum: 0,
  new_recipients: 0,
  largest: null,
  beyond_daily: null,
  kinds: ['code'],
}

/** An act on the account that is to be proved. */
const acting = (act: Partial<NonNullable<PaymentToProve['act']>>): PaymentToProve => ({
  ...nothing,
  act: { profile: null, recipient: null, own_account: null, end_sessions: null, ...act },
})

const mail = acting({
  profile: { account: null, email: 'olena@example.com', phone_additional: null, registry_identifier: null },
})

/** Saves the card, for which the server wants a proof. */
function save(proof: PaymentToProve = mail) {
  refuse('post', '/api/me', 403, { message: 'confirmation_required', proof }, { once: true })
  const saved = api.POST('/me', { body: { email: 'olena@example.com' } })
  // The test asks for the outcome later.
  saved.catch(() => undefined)
  return saved
}

const dialog = () => screen.findByRole('dialog', { name: 'Підтвердьте дію' })
const gone = () => waitFor(() => expect(screen.queryByRole('dialog', { hidden: true })).toBeNull())
const cancel = () => user.click(screen.getByRole('button', { name: 'Скасувати', hidden: true }))
const enter = async (code: string) => user.type(within(await dialog()).getByLabelText('Код із SMS'), code)
const unconfirmed = { key: 'confirmation_required' }

test('the code from the message proves the act that it names, and the request is sent again', async () => {
  answer('post', start, { ...byCode, proof: mail })
  answer('post', verifyCode, { confirmed_until: '2099-01-01T00:00:00Z' })
  const saved = save()
  expect(await dialog()).toHaveTextContent(/електронна пошта olena@example\.com.*\+380 \*\* \*\*\* 33 44/u)
  await enter('1234')
  await expect(saved).resolves.toEqual(olena)
  await gone()
  expect(callsOf(verifyCode).map(({ body }) => body)).toEqual([
    { otp_code: '1234', operation_id: 'operation-1' },
  ])
  expect(callsOf('/api/me').map(({ body }) => body)).toEqual([
    { email: 'olena@example.com' },
    { email: 'olena@example.com' },
  ])
})

test('a dialog that was cancelled opens again with the code that is still valid', async () => {
  answer('post', start, byCode)
  answer('post', verifyCode, { confirmed_until: '2099-01-01T00:00:00Z' })
  const first = save()
  await dialog()
  await cancel()
  await expect(first).rejects.toMatchObject(unconfirmed)
  await gone()
  const second = save()
  await enter('1234')
  await expect(second).resolves.toEqual(olena)
  expect(callsOf(start)).toHaveLength(1)
  // A code that was used confirms nothing more.
  const third = save()
  await dialog()
  expect(callsOf(start)).toHaveLength(2)
  await cancel()
  await expect(third).rejects.toMatchObject(unconfirmed)
})

test('another code is sent once the first has expired, or takes no more tries', async () => {
  answer('post', start, { ...byCode, expires_at: '2000-01-01T00:00:00Z' })
  void save()
  await dialog()
  await cancel()
  answer('post', start, byCode)
  void save()
  refuse('post', verifyCode, 422, { message: 'otp_tries_exhausted', errors: {} })
  await enter('1234')
  expect(await screen.findByText(/Спроби ввести цей код вичерпано/u)).toBeInTheDocument()
  expect(callsOf(start)).toHaveLength(2)
  await cancel()
  void save()
  await dialog()
  expect(callsOf(start)).toHaveLength(3)
})

test.each([
  [
    acting({
      profile: {
        account: { iban: 'UA213223130000026007233566001', okpo: '3068208400' },
        email: '',
        phone_additional: '+380671112233',
        registry_identifier: 'NOTAR20999',
      },
    }),
    'рахунок …6001, код …8400; електронна пошта –; додатковий телефон +380671112233; ідентифікатор NOTAR20999',
  ],
  [
    acting({
      recipient: {
        id: null,
        title: 'Оренда',
        recipient_name: 'ТОВ «Зоря»',
        iban: 'UA213223130000026007233566001',
        okpo: '32855961',
      },
    }),
    'отримувача: рахунок …6001, код …5961',
  ],
  [
    acting({ own_account: { iban: 'UA213223130000026007233566001', okpo: null } }),
    'а на інший: рахунок …6001, код –',
  ],
  [acting({ end_sessions: { id: null } }), 'Усі інші сеанси буде завершено.'],
  [acting({ end_sessions: { id: 'session-1' } }), 'Інший сеанс буде завершено.'],
])('the dialog names what is done: %#', async (proof, named) => {
  answer('post', start, { ...byCode, proof })
  void save(proof)
  expect(await dialog()).toHaveTextContent(named)
  expect(callsOf(start).map(({ body }) => body)).toMatchObject([{ act: proof.act }])
})

test('a passkey proves an act, too', async () => {
  haveAuthenticator().get.mockResolvedValue(signature)
  const proof = { ...mail, kinds: ['passkey', 'code'] as PaymentToProve['kinds'] }
  answer('post', passkeyOptions, askedPasskey(proof))
  answer('post', verifyPasskey, { success: true })
  const saved = save(proof)
  expect(await dialog()).toHaveTextContent('електронна пошта olena@example.com')
  await user.click(passkeyButton())
  await expect(saved).resolves.toEqual(olena)
})

test('two requests wait for the same code', async () => {
  answer('post', start, byCode)
  answer('post', verifyCode, { confirmed_until: '2099-01-01T00:00:00Z' })
  const both = [save(), save()]
  await dialog()
  await waitFor(() => expect(callsOf('/api/me')).toHaveLength(2))
  await enter('1234')
  await expect(Promise.all(both)).resolves.toEqual([olena, olena])
  expect(callsOf(start)).toHaveLength(1)
})

const orderSummary = summaryOf(order())
const payment: PaymentToProve = {
  client_id: 'client-1',
  order_id: null,
  part: null,
  sum: 1269.26,
  new_recipients: 1,
  largest: { sum: 1250.5, account_end: '6001' },
  card_figures: null,
  act: null,
  beyond_daily: null,
  kinds: ['code'],
}

/** Pays a group of the cart with a saved card, for which the server wants a proof. */
function pay(proof: PaymentToProve = payment) {
  refuse('post', '/api/order/create', 403, { message: 'confirmation_required', proof }, { once: true })
  const paid = api.POST('/order/create', {
    body: { client_id: 'client-1', token_id: 'token' },
    headers: { 'Idempotency-Key': 'key-1' },
  })
  paid.catch(() => undefined)
  return paid
}

const paymentDialog = () => screen.findByRole('dialog', { name: 'Підтвердьте оплату карткою' })

test('the code of a payment names sum and account, and the same request goes on under its key', async () => {
  answer('post', start, { ...byCode, proof: payment })
  answer('post', verifyCode, { confirmed_until: '2099-01-01T00:00:00Z' })
  answer('post', '/api/order/create', { order: orderSummary })
  const paid = pay()
  const shown = await paymentDialog()
  expect(shown).toHaveTextContent('1 269,26')
  expect(shown).toHaveTextContent('…6001')
  expect(shown).toHaveTextContent('1 250,50')
  expect(shown).toHaveTextContent('+380 ** *** 33 44')
  await user.type(within(shown).getByLabelText('Код із SMS'), '1234')
  await expect(paid).resolves.toEqual({ order: orderSummary })
  expect(callsOf(start).map(({ body }) => body)).toEqual([
    { client_id: 'client-1', order_id: null, part: null, card_figures: null, act: null },
  ])
  const calls = callsOf('/api/order/create')
  expect(calls.map(({ body }) => body)).toEqual([calls[0]?.body, calls[0]?.body])
})

test('the code of a returned part names the account to which it goes', async () => {
  const part = {
    transfer_id: 'transfer-1',
    iban: 'UA213223130000026007233566001',
    okpo: '3068208400',
    recipient_name: 'Мельник Олена Вікторівна',
    purpose: '60 % адміністративного збору',
  }
  const { iban, okpo, recipient_name, purpose } = part
  const proof: PaymentToProve = {
    client_id: null,
    order_id: null,
    part,
    sum: 198,
    new_recipients: 1,
    largest: { sum: 198, account_end: '6001' },
    card_figures: null,
    act: null,
    beyond_daily: null,
    kinds: ['code'],
  }
  answer('post', start, { ...byCode, proof })
  answer('post', verifyCode, { confirmed_until: '2099-01-01T00:00:00Z' })
  answer('post', '/api/order/transfer/{id}/resend', { success: true })
  refuse(
    'post',
    '/api/order/transfer/{id}/resend',
    403,
    { message: 'confirmation_required', proof },
    { once: true },
  )
  const sent = api.POST('/order/transfer/{id}/resend', {
    params: { path: { id: 'transfer-1' } },
    body: { iban, okpo, recipient_name, purpose },
  })
  const shown = await screen.findByRole('dialog', { name: 'Підтвердьте переказ' })
  expect(shown).toHaveTextContent('198,00')
  expect(shown).toHaveTextContent('…6001')
  await user.type(within(shown).getByLabelText('Код із SMS'), '1234')
  await sent
  expect(callsOf(start).map(({ body }) => body)).toEqual([
    { client_id: null, order_id: null, part, card_figures: null, act: null },
  ])
})

test('a payment beyond the sum of a day says so, and larger figures are named', async () => {
  const beyond: PaymentToProve = { ...payment, new_recipients: 0, largest: null, beyond_daily: 50_000 }
  answer('post', start, { ...byCode, proof: beyond })
  const paid = pay(beyond)
  expect(await paymentDialog()).toHaveTextContent(/До сплати 1 269,26.*більше ніж 50 000,00/u)
  await cancel()
  await expect(paid).rejects.toMatchObject(unconfirmed)

  const figures = { daily_unproved_max: 80_000, told_from: 30_000 }
  const larger: PaymentToProve = {
    ...beyond,
    client_id: null,
    sum: 80_000,
    beyond_daily: null,
    card_figures: figures,
  }
  answer('post', start, { ...byCode, proof: larger })
  void pay(larger)
  const shown = await screen.findByRole('dialog', { name: 'Підтвердьте нові суми' })
  expect(shown).toHaveTextContent(/до 80 000,00.*від 30 000,00/u)
  expect(callsOf(start).at(-1)?.body).toEqual({
    client_id: null,
    order_id: null,
    part: null,
    card_figures: figures,
    act: null,
  })
})

test('another payment asks for a code of its own', async () => {
  answer('post', start, { ...byCode, proof: payment })
  const first = pay()
  await paymentDialog()
  await cancel()
  await expect(first).rejects.toMatchObject(unconfirmed)
  void pay()
  await paymentDialog()
  expect(callsOf(start)).toHaveLength(1)
  await cancel()
  void pay({ ...payment, sum: 9000 })
  await paymentDialog()
  expect(callsOf(start)).toHaveLength(2)
})

const passkeyOptions = '/api/auth/confirmation/passkey/options'
const verifyPasskey = '/api/auth/confirmation/passkey'
const eitherWay: PaymentToProve = { ...payment, kinds: ['passkey', 'code'] }
const askedPasskey = (proof: PaymentToProve = eitherWay): StartedPasskeyProof => ({
  public_key: {
    challenge: 'AAAA',
    rpId: 'cabinet.example',
    timeout: 600_000,
    allowCredentials: [{ id: 'BBBB', type: 'public-key' }],
    userVerification: 'required',
  },
  proof,
})
const signature = {
  id: 'BBBB',
  response: { clientDataJSON: 'CC', authenticatorData: 'DD', signature: 'EE' },
}
const passkeyButton = () => screen.getByRole('button', { name: 'Підтвердити ключем доступу', hidden: true })
const codeButton = () => screen.queryByRole('button', { name: 'Отримати код із SMS', hidden: true })

test('a passkey proves a payment without any message, and the same request goes on', async () => {
  const browser = haveAuthenticator()
  browser.get.mockResolvedValue(signature)
  answer('post', passkeyOptions, askedPasskey())
  answer('post', verifyPasskey, { success: true })
  answer('post', '/api/order/create', { order: orderSummary })
  const paid = pay(eitherWay)
  const shown = await paymentDialog()
  expect(shown).toHaveTextContent('1 269,26')
  expect(shown).toHaveTextContent('…6001')
  await waitFor(() => expect(passkeyButton()).toHaveFocus())
  expect(browser.get).not.toHaveBeenCalled()
  await user.keyboard('{Enter}')
  await expect(paid).resolves.toEqual({ order: orderSummary })
  await gone()
  expect(browser.get).toHaveBeenCalledExactlyOnceWith({ publicKey: askedPasskey().public_key })
  const [asked] = callsOf(passkeyOptions)
  expect(asked?.body).toEqual({
    client_id: 'client-1',
    order_id: null,
    part: null,
    card_figures: null,
    act: null,
  })
  expect(callsOf(verifyPasskey).map(({ body }) => body)).toEqual([
    { credential: { ...signature, response: { ...signature.response, userHandle: '' } } },
  ])
  expect(callsOf(start)).toHaveLength(0)
})

test('a code by SMS stays beside the passkey', async () => {
  haveAuthenticator()
  answer('post', passkeyOptions, askedPasskey())
  answer('post', start, { ...byCode, proof: eitherWay })
  answer('post', verifyCode, { confirmed_until: '2099-01-01T00:00:00Z' })
  answer('post', '/api/order/create', { order: orderSummary })
  const paid = pay(eitherWay)
  await paymentDialog()
  expect(callsOf(start)).toHaveLength(0)
  await user.click(codeButton()!)
  await user.type(await screen.findByLabelText('Код із SMS'), '1234')
  await expect(paid).resolves.toEqual({ order: orderSummary })
  expect(callsOf(start)).toHaveLength(1)
})

test('a code that comes after the dialog was cancelled opens none, and serves the next request', async () => {
  haveAuthenticator()
  const end = gate()
  answer('post', passkeyOptions, askedPasskey())
  answer('post', start, async () => {
    await end.passed
    return { ...byCode, proof: eitherWay }
  })
  const paid = pay(eitherWay)
  await paymentDialog()
  await user.click(codeButton()!)
  await cancel()
  await expect(paid).rejects.toMatchObject(unconfirmed)
  end.open()
  await answersArrived()
  expect(screen.queryByRole('dialog', { hidden: true })).toBeNull()
  void pay(eitherWay)
  await paymentDialog()
  await user.click(codeButton()!)
  expect(await screen.findByLabelText('Код із SMS')).toBeInTheDocument()
  expect(callsOf(start)).toHaveLength(1)
})

test('what a cancelled dialog asked for once more opens nothing', async () => {
  haveAuthenticator().get.mockResolvedValue(signature)
  answer('post', passkeyOptions, askedPasskey())
  const paid = pay(eitherWay)
  await paymentDialog()
  const end = gate()
  refuse('post', verifyPasskey, 422, { message: 'passkey_refused' })
  answer('post', passkeyOptions, async () => {
    await end.passed
    return askedPasskey()
  })
  await user.click(passkeyButton())
  await waitFor(() => expect(callsOf(passkeyOptions)).toHaveLength(2))
  await cancel()
  await expect(paid).rejects.toMatchObject(unconfirmed)
  end.open()
  await answersArrived()
  expect(screen.queryByRole('dialog', { hidden: true })).toBeNull()
})

test('another code that is sent after the dialog was cancelled opens none', async () => {
  answer('post', start, byCode)
  const saved = save()
  await dialog()
  const end = gate()
  answer('post', start, async () => {
    await end.passed
    return { ...byCode, operation_id: 'operation-2' }
  })
  await user.click(await screen.findByRole('button', { name: 'Надіслати код ще раз', hidden: true }))
  await cancel()
  await expect(saved).rejects.toMatchObject(unconfirmed)
  end.open()
  await answersArrived()
  expect(screen.queryByRole('dialog', { hidden: true })).toBeNull()
})

test('whoever is not recognised, or whose passkey is refused, tries again with what is paid now', async () => {
  const browser = haveAuthenticator()
  browser.get.mockRejectedValueOnce(new DOMException('', 'NotAllowedError')).mockResolvedValue(signature)
  answer('post', passkeyOptions, askedPasskey())
  answer('post', '/api/order/create', { order: orderSummary })
  const paid = pay(eitherWay)
  await paymentDialog()
  await user.click(passkeyButton())
  expect(await screen.findByText('Ключем доступу не підтверджено. Спробуйте ще раз.')).toBeInTheDocument()
  refuse('post', verifyPasskey, 422, { message: 'passkey_refused' }, { once: true })
  answer('post', passkeyOptions, askedPasskey({ ...eitherWay, sum: 2500 }))
  await user.click(passkeyButton())
  expect(await screen.findByText('Ключ доступу не підійшов. Спробуйте ще раз.')).toBeInTheDocument()
  expect(await paymentDialog()).toHaveTextContent('2 500,00')
  answer('post', verifyPasskey, { success: true })
  await user.click(passkeyButton())
  await expect(paid).resolves.toEqual({ order: orderSummary })
})

test('a passkey that is too new says what else there is', async () => {
  haveAuthenticator().get.mockResolvedValue(signature)
  answer('post', passkeyOptions, askedPasskey())
  void pay(eitherWay)
  await paymentDialog()
  refuse('post', verifyPasskey, 409, { message: 'passkey_too_new' })
  await user.click(passkeyButton())
  expect(await screen.findByText(/^Цей ключ доступу додано нещодавно.*сторінці банку/u)).toBeInTheDocument()
})

test('on a new device there is the passkey alone, and the bank’s page is named', async () => {
  haveAuthenticator()
  const proof: PaymentToProve = { ...payment, kinds: ['passkey'] }
  answer('post', passkeyOptions, askedPasskey(proof))
  const paid = pay(proof)
  expect(await paymentDialog()).toHaveTextContent(/Цей пристрій новий.*оплатіть на сторінці банку/u)
  expect(codeButton()).toBeNull()
  await cancel()
  await expect(paid).rejects.toMatchObject(unconfirmed)
})

test('a browser without passkeys asks for the code at once', async () => {
  answer('post', start, { ...byCode, proof: eitherWay })
  void pay(eitherWay)
  expect(within(await paymentDialog()).getByLabelText('Код із SMS')).toBeInTheDocument()
  expect(callsOf(passkeyOptions)).toHaveLength(0)
})

test('a refused start is thrown to the page, in its words and at none of its fields', async () => {
  refuse('post', start, 429, { message: 'too_many_codes', errors: { phone: ['too_many_codes'] } })
  await expect(save()).rejects.toMatchObject({ status: 429, key: 'too_many_codes', errors: {} })
  expect(screen.queryByRole('dialog', { hidden: true })).toBeNull()
  expect(screen.queryByRole('alert')).toBeNull()
  // The next one asks again.
  answer('post', start, byCode)
  void save()
  await dialog()
})

test('no code is sent where the texts of the dialog do not load', async () => {
  loadTexts.mockRejectedValue(new Error('not loaded'))
  answer('post', start, byCode)
  await expect(save()).rejects.toThrow('not loaded')
  expect(callsOf(start)).toHaveLength(0)
})

test('what waits is refused when the dialog leaves the page', async () => {
  answer('post', start, byCode)
  const saved = save()
  await dialog()
  cleanup()
  await expect(saved).rejects.toMatchObject(unconfirmed)
})
