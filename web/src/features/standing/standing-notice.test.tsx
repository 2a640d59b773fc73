import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'

import { switchLocale } from '@/i18n/i18n'
import { renderRoute } from '@/testing/render-route'
import { cart, cartItem, olena } from '@/testing/samples'
import { answer, callsOf, refuse, startServer } from '@/testing/server'

startServer()

const waiting = 'Обліковий запис очікує на підтвердження'

beforeEach(() => {
  answer('get', '/api/cart', cart(cartItem()))
  answer('get', '/api/order/token/get-all-tokens-by-phone', { tokens: [], last_used: null })
  answer('get', '/api/order', { orders: [], next: null })
})

describe('the notice of an account', () => {
  it('that waits says what happens next, above the page, and leads to the profile', async () => {
    await renderRoute('/cart', { notary: { ...olena, standing: 'waiting' } })
    expect(await screen.findByText(waiting)).toBeVisible()
    expect(screen.getByRole('link', { name: 'До картки нотаріуса' })).toHaveAttribute('href', '/me')
    await switchLocale('en')
    expect(await screen.findByText('Your account is waiting for confirmation')).toBeVisible()
  })

  it('that waits for the code to the contact of the register says where it goes, and why it is not sent', async () => {
    refuse('post', '/api/auth/confirmation', 409, { message: 'register_contact_unknown' })
    const { user } = await renderRoute('/cart', {
      notary: { ...olena, standing: 'waiting', register_contact: '+38 (067) ***-**-01' },
    })
    expect(await screen.findByText('+38 (067) ***-**-01')).toBeVisible()
    const press = () => user.click(screen.getByRole('button', { name: 'Надіслати код' }))
    await press()
    expect(await screen.findByRole('alert')).toHaveTextContent(/його підтвердить служба підтримки/u)
    answer('post', '/api/auth/confirmation', {
      operation_id: 'operation-1',
      proof: null,
      passkey: null,
      confirms_account: true,
      otp_length: 6,
      sent_to: '+38 (067) ***-**-01',
      expires_at: new Date(Date.now() + 300_000).toISOString(),
      resend_at: '2000-01-01T00:00:00Z',
    })
    answer('post', '/api/auth/confirmation/otp', { confirmed_until: new Date().toISOString() })
    await press()
    const dialog = await screen.findByRole('dialog', { name: 'Підтвердьте обліковий запис' })
    answer('post', '/api/auth/me', olena)
    await user.type(await within(dialog).findByLabelText('Код із повідомлення'), '123456')
    await waitFor(() => expect(screen.queryByText(waiting)).toBeNull())
    expect(callsOf('/api/auth/confirmation').at(-1)?.body).toEqual({ account: true })
  })

  it('that was refused says whom to ask', async () => {
    await renderRoute('/cart', { notary: { ...olena, standing: 'refused' } })
    expect(await screen.findByText('Обліковий запис не підтверджено')).toBeVisible()
  })

  it('of a notary whose activity is stopped says whom to ask', async () => {
    await renderRoute('/cart', { notary: { ...olena, notary_status: 'suspended' } })
    expect(await screen.findByText('Нові замовлення недоступні')).toBeVisible()
    expect(
      screen.getByText(/такий статус установила служба підтримки.*відкриту сторінку оплати/u),
    ).toBeVisible()
    await switchLocale('en')
    expect(await screen.findByText('New orders cannot be made')).toBeVisible()
  })

  it('that is confirmed has none', async () => {
    await renderRoute('/cart')
    expect(await screen.findByRole('heading', { name: 'Кошик' })).toBeVisible()
    expect(screen.queryByText(waiting)).toBeNull()
  })
})

describe('an order of an account that waits', () => {
  it('is refused in words, and the payments stay in the cart', async () => {
    // A 403 may also mean that the session is over, so it is renewed once.
    answer('post', '/api/auth/refresh', {
      access_token: 'a fresh one',
      refresh_token: 'cookie',
      expires_in: 900,
      notary_id: 'a-notary',
      session_expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    })
    refuse('post', '/api/order/create', 403, { message: 'notary_not_confirmed' })
    const { user } = await renderRoute('/cart', {
      notary: { ...olena, standing: 'waiting', new_flow_enabled: false },
    })
    expect(await screen.findByText(waiting)).toBeVisible()
    await user.click(await screen.findByRole('button', { name: /^Сплатити .* – Коваль/u }))
    expect(await screen.findByText('Замовлення не створено, кошти не списано')).toBeVisible()
    expect(screen.getByText(/Платежі залишаються в кошику/u)).toBeVisible()
    expect(screen.getByRole('button', { name: /^Сплатити .* – Коваль/u })).toBeVisible()
  })
})
