import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'

import { loadOrderFile } from '@/forms/order-file/load'
import { renderRoute } from '@/testing/render-route'
import { order } from '@/testing/samples'
import { answer, callsOf, lose, refuse, startServer } from '@/testing/server'

import { loadClientLink } from './load'

startServer()

// Two parts are loaded one after the other, which takes longer than a test waits on a busy machine.
beforeAll(async () => {
  await loadOrderFile()
  await loadClientLink()
})

afterEach(() => {
  vi.useRealTimers()
})

const LINK = '/api/order/{id}/client-link'
const URL_OF_LINK = 'https://cabinet.example/pay/AAAAAAAAAAAAAAAAAAAAAAAA'

/** What is known of a link. */
const known = {
  state: 'none' as const,
  made_at: null,
  ends_at: null,
  opened_at: null,
  sent_at: null,
  sendings_left: 5,
  hours_max: 72,
  letters: true,
  receipt_mail: null,
  receipt_mail_refused: null,
}
const open = {
  ...known,
  state: 'open' as const,
  made_at: '2026-03-02T09:00:00Z',
  ends_at: '2026-03-05T09:00:00Z',
}

/** An address to which the receipt was sent. */
const receipt_mail = {
  email: 'k•••@example.com',
  by_client: false,
  given_at: '2026-03-02T09:00:00Z',
  state: 'sent' as const,
  opened_at: null,
}

const unpaid = order({
  status: 'failed',
  payment_state: 'declined',
  paid_at: null,
  failure: 'payment_declined',
})

async function unfold(title: string) {
  const rendered = await renderRoute('/order/order-1/error')
  await rendered.user.click(await screen.findByText(title))
  return rendered
}

describe('the link for the client', () => {
  it('is read only when it is unfolded, made, copied and withdrawn', async () => {
    answer('get', '/api/order/{id}', { order: unpaid })
    answer('get', LINK, known)
    answer('post', LINK, { url: URL_OF_LINK, picture: null, token: 'AAAAAAAAAAAAAAAAAAAAAAAA', link: open })
    answer('post', `${LINK}/withdraw`, { ...open, state: 'withdrawn' as const })
    const { user } = await renderRoute('/order/order-1/error')
    const title = await screen.findByText('Посилання для клієнта')
    expect(callsOf(LINK)).toHaveLength(0)
    await user.click(title)
    await user.selectOptions(await screen.findByLabelText('Строк дії, годин'), '24')
    await user.click(screen.getByRole('button', { name: 'Створити посилання' }))
    expect(await screen.findByLabelText('Адреса посилання')).toHaveValue(URL_OF_LINK)
    expect(callsOf(LINK).at(-1)?.body).toEqual({ hours: 24 })
    const copied = vi.spyOn(navigator.clipboard, 'writeText')
    await user.click(screen.getByRole('button', { name: 'Скопіювати' }))
    expect(copied).toHaveBeenCalledWith(URL_OF_LINK)
    await user.click(screen.getByRole('button', { name: 'Скасувати посилання' }))
    expect(await screen.findByText('скасовано')).toBeVisible()
    expect(screen.queryByLabelText('Адреса посилання')).toBeNull()
    // The pressed button is gone.
    await waitFor(() => expect(screen.getByLabelText('Строк дії, годин')).toHaveFocus())
  })

  it.each([
    ['Створити нове посилання', LINK],
    ['Скасувати посилання', `${LINK}/withdraw`],
  ] as const)('has no address any more where the answer to «%s» is lost', async (name, path) => {
    answer('get', '/api/order/{id}', { order: unpaid })
    answer('get', LINK, known)
    answer('post', LINK, { url: URL_OF_LINK, picture: null, token: 'AAAAAAAAAAAAAAAAAAAAAAAA', link: open })
    const { user } = await unfold('Посилання для клієнта')
    await user.click(await screen.findByRole('button', { name: 'Створити посилання' }))
    await screen.findByLabelText('Адреса посилання')
    lose('post', path, 1)
    // The link may be as it was, and what is read of it may be late.
    answer('get', LINK, open)
    await user.click(screen.getByRole('button', { name }))
    expect(await screen.findByText(/^Невідомо, чи (?:створено|скасовано) посилання$/u)).toBeVisible()
    expect(screen.queryByLabelText('Адреса посилання')).toBeNull()
    await waitFor(() => expect(callsOf(LINK).filter(({ method }) => method === 'get')).toHaveLength(2))
    // The next presses leave nothing of the failure.
    await user.click(screen.getByRole('button', { name: 'Створити нове посилання' }))
    expect(await screen.findByLabelText('Адреса посилання')).toHaveValue(URL_OF_LINK)
    expect(screen.queryByText(/^Невідомо/u)).toBeNull()
    refuse('post', LINK, 429, { message: 'too_many_requests' })
    await user.click(screen.getByRole('button', { name: 'Створити нове посилання' }))
    await screen.findByText('Дію не виконано')
    answer('post', `${LINK}/withdraw`, { ...open, state: 'withdrawn' as const })
    await user.click(screen.getByRole('button', { name: 'Скасувати посилання' }))
    expect(await screen.findByText('скасовано')).toBeVisible()
    expect(screen.queryByText('Дію не виконано')).toBeNull()
  })

  it('of another tab takes the place of an address that a lost answer has ended', async () => {
    answer('get', '/api/order/{id}', { order: unpaid })
    answer('get', LINK, known)
    answer('post', LINK, { url: URL_OF_LINK, picture: null, token: 'AAAAAAAAAAAAAAAAAAAAAAAA', link: open })
    const { user } = await unfold('Посилання для клієнта')
    await user.click(await screen.findByRole('button', { name: 'Створити посилання' }))
    await screen.findByLabelText('Адреса посилання')
    lose('post', LINK, 1)
    answer('get', LINK, { ...open, made_at: '2026-03-02T10:00:00Z', opened_at: '2026-03-02T11:00:00Z' })
    await user.click(screen.getByRole('button', { name: 'Створити нове посилання' }))
    expect(await screen.findByText('Невідомо, чи створено посилання')).toBeVisible()
    await waitFor(() => expect(screen.queryByText('ще ні')).toBeNull())
    expect(screen.queryByLabelText('Адреса посилання')).toBeNull()
  })

  it('keeps its address where another one is refused', async () => {
    answer('get', '/api/order/{id}', { order: unpaid })
    answer('get', LINK, known)
    answer('post', LINK, { url: URL_OF_LINK, picture: null, token: 'AAAAAAAAAAAAAAAAAAAAAAAA', link: open })
    const { user } = await unfold('Посилання для клієнта')
    await user.click(await screen.findByRole('button', { name: 'Створити посилання' }))
    await screen.findByLabelText('Адреса посилання')
    refuse('post', LINK, 429, { message: 'too_many_requests' })
    await user.click(screen.getByRole('button', { name: 'Створити нове посилання' }))
    expect(await screen.findByText('Дію не виконано')).toBeVisible()
    expect(screen.getByLabelText('Адреса посилання')).toHaveValue(URL_OF_LINK)
  })

  it('of an earlier visit has no address any more, and says so', async () => {
    answer('get', '/api/order/{id}', { order: unpaid })
    answer('get', LINK, { ...open, opened_at: '2026-03-02T10:00:00Z' })
    await unfold('Посилання для клієнта')
    expect(await screen.findByText(/Нове посилання замінить це/u)).toBeVisible()
    expect(screen.queryByLabelText('Адреса посилання')).toBeNull()
    expect(screen.queryByText('ще ні')).toBeNull()
  })

  it('is sent to a phone; what was refused is said at its field', async () => {
    answer('get', '/api/order/{id}', { order: unpaid })
    answer('get', LINK, known)
    answer('post', LINK, { url: URL_OF_LINK, picture: null, token: 'AAAAAAAAAAAAAAAAAAAAAAAA', link: open })
    refuse('post', `${LINK}/send`, 422, {
      message: 'phone_not_mobile',
      errors: { phone: ['phone_not_mobile'] },
    })
    const { user } = await unfold('Посилання для клієнта')
    await user.click(await screen.findByRole('button', { name: 'Створити посилання' }))
    const phone = await screen.findByLabelText('Телефон клієнта')
    await user.type(phone, '0441234567')
    await user.click(screen.getByRole('button', { name: 'Надіслати SMS' }))
    await waitFor(() => expect(phone).toHaveAttribute('aria-invalid', 'true'))
    expect(phone).toHaveAccessibleDescription(/Введіть номер мобільного телефону/u)
    answer('post', `${LINK}/send`, { ...open, sendings_left: 4 })
    await user.click(screen.getByRole('button', { name: 'Надіслати SMS' }))
    expect(await screen.findByText('Надіслано')).toBeVisible()
    expect(callsOf(`${LINK}/send`).at(-1)?.body).toMatchObject({ token: 'AAAAAAAAAAAAAAAAAAAAAAAA' })
    lose('post', `${LINK}/send`, 1)
    answer('get', LINK, { ...open, sent_at: '2026-03-02T09:05:00Z' })
    await user.click(screen.getByRole('button', { name: 'Надіслати SMS' }))
    expect(await screen.findByText('Невідомо, чи надіслано посилання')).toBeVisible()
    expect(screen.queryByText('Надіслано')).toBeNull()
    expect(await screen.findByText('Востаннє надіслано')).toBeVisible()
    expect(screen.getByLabelText('Адреса посилання')).toHaveValue(URL_OF_LINK)
    // Another link was neither sent nor lost.
    await user.click(screen.getByRole('button', { name: 'Створити нове посилання' }))
    await waitFor(() => expect(screen.queryByText(/^Невідомо/u)).toBeNull())
  })

  it('of a paid order leaves the receipt by e-mail, with the consent and the way back', async () => {
    const MAIL = '/api/order/{id}/receipt-mail'
    answer('get', '/api/order/{id}', { order: order() })
    answer('get', LINK, known)
    answer('post', MAIL, { ...known, receipt_mail })
    answer('post', `${MAIL}/stop`, known)
    const { user } = await renderRoute('/order/order-1/success')
    await user.click(await screen.findByText('Квитанція клієнту'))
    await user.type(
      await screen.findByLabelText('Електронна пошта клієнта для квитанції'),
      'klient@example.com',
    )
    await user.click(screen.getByRole('button', { name: 'Надсилати квитанцію' }))
    expect(await screen.findByText(/k•••@example.com/u)).toBeVisible()
    expect(callsOf(MAIL)[0]?.body).toEqual({ email: 'klient@example.com' })
    // The pressed button is gone, and the other one is not to be pressed by mistake.
    const group = screen.getByRole('group', { name: 'Квитанція клієнту електронною поштою' })
    await waitFor(() => expect(group).toHaveFocus())
    lose('post', `${MAIL}/stop`, 1)
    answer('get', LINK, { ...known, receipt_mail: { ...receipt_mail, by_client: true } })
    await user.click(screen.getByRole('button', { name: 'Не надсилати' }))
    expect(await screen.findByText('Невідомо, чи скасовано надсилання квитанції')).toBeVisible()
    expect(await screen.findByText(/адресу вказав клієнт/u)).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Не надсилати' }))
    const field = await screen.findByLabelText('Електронна пошта клієнта для квитанції')
    expect(field).toHaveValue('')
    await waitFor(() => expect(field).toHaveFocus())
    expect(screen.queryByText(/^Невідомо/u)).toBeNull()
    lose('post', MAIL, 1)
    await user.type(field, 'klient@example.com')
    await user.click(screen.getByRole('button', { name: 'Надсилати квитанцію' }))
    expect(await screen.findByText('Невідомо, чи збережено адресу')).toBeVisible()
    // It was kept after all. Neither failure stands beside what is done next.
    await waitFor(() => expect(group).toHaveFocus())
    lose('post', `${MAIL}/stop`, 1)
    answer('get', LINK, known)
    await user.click(screen.getByRole('button', { name: 'Не надсилати' }))
    await screen.findByText('Невідомо, чи скасовано надсилання квитанції')
    expect(screen.queryByText('Невідомо, чи збережено адресу')).toBeNull()
    await user.click(await screen.findByRole('button', { name: 'Надсилати квитанцію' }))
    expect(await screen.findByText(/k•••@example.com/u)).toBeVisible()
    expect(screen.queryByText(/^Невідомо/u)).toBeNull()
  })
  it.each([
    ['sent', 'Лист надіслано, квитанцію ще не відкрито.'],
    ['opened', 'Квитанцію відкрито 2 березня 2026 р. о 12:00.'],
    ['used_up', 'Посилання в листі закрито: забагато разів введено неправильні цифри.'],
    ['ended', 'Строк дії посилання в листі минув.'],
    ['not_sent', 'Лист не вдалося надіслати: уточніть адресу в клієнта.'],
    ['unknown', 'Чи надіслано лист, невідомо.'],
  ] as const)('says that its letter is %s, and sends it again to the same address', async (state, said) => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const MAIL = '/api/order/{id}/receipt-mail'
    const opened_at = state === 'opened' ? '2026-03-02T10:00:00Z' : null
    answer('get', '/api/order/{id}', { order: order() })
    answer('get', LINK, { ...known, receipt_mail: { ...receipt_mail, state, opened_at } })
    answer('post', MAIL, { ...known, receipt_mail: { ...receipt_mail, state: 'waiting' } })
    const { user } = await renderRoute('/order/order-1/success')
    await user.click(await screen.findByText('Квитанція клієнту'))
    expect(await screen.findByText(said, { exact: false })).toBeVisible()
    answer('get', LINK, { ...known, receipt_mail })
    await user.click(screen.getByRole('button', { name: 'Надіслати ще раз' }))
    expect(await screen.findByText(/Надсилаємо лист/u)).toBeVisible()
    expect(callsOf(MAIL)).toHaveLength(1)
    expect(callsOf(MAIL)[0]?.body).toEqual({ email: null })
    // What waits is not sent a second time.
    expect(screen.queryByRole('button', { name: 'Надіслати ще раз' })).toBeNull()
    await waitFor(() =>
      expect(screen.getByRole('group', { name: 'Квитанція клієнту електронною поштою' })).toHaveFocus(),
    )
    // The page learns by itself that it has left: it asks again after three seconds.
    await act(() => vi.advanceTimersByTimeAsync(3_000))
    expect(await screen.findByText(/Лист надіслано/u)).toBeVisible()
  })

  it('says why it was not sent again, and who refused letters', async () => {
    const MAIL = '/api/order/{id}/receipt-mail'
    answer('get', '/api/order/{id}', { order: order() })
    answer('get', LINK, { ...known, receipt_mail })
    const { user } = await renderRoute('/order/order-1/success')
    await user.click(await screen.findByText('Квитанція клієнту'))
    const again = await screen.findByRole('button', { name: 'Надіслати ще раз' })
    refuse('post', MAIL, 409, { message: 'receipt_mail_sent_too_often' })
    await user.click(again)
    expect(await screen.findByText(/Квитанції надіслано забагато разів/u)).toBeVisible()
    lose('post', MAIL, 1)
    await user.click(again)
    expect(await screen.findByText('Невідомо, чи надіслано лист ще раз')).toBeVisible()
    // The client has refused it meanwhile: the letter's address alone, or all.
    refuse('post', MAIL, 409, { message: 'receipt_mail_refused' })
    const at = '2026-03-02T10:00:00Z'
    answer('get', LINK, { ...known, receipt_mail_refused: { at, is_of_address: true } })
    await user.click(again)
    expect(await screen.findByText(/Отримувач листа відмовився від листів на свою адресу/u)).toBeVisible()
    await waitFor(() => expect(screen.getByLabelText('Електронна пошта клієнта для квитанції')).toHaveFocus())
  })

  it('of an order that is not paid has no letter to send again', async () => {
    answer('get', '/api/order/{id}', { order: unpaid })
    answer('get', LINK, { ...known, receipt_mail: { ...receipt_mail, state: 'agreed' } })
    await unfold('Посилання для клієнта')
    expect(await screen.findByText(/k•••@example.com/u)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Надіслати ще раз' })).toBeNull()
  })
})
