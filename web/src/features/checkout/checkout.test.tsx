import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'

import { confirmBy } from '@/api/confirmation'
import type { NotarialAct } from '@/api/notarial-act'
import { queryClient } from '@/api/query-client'
import { session } from '@/api/session'
import { switchLocale } from '@/i18n/i18n'
import { leavePage } from '@/lib/leave-page'
import { wait } from '@/lib/wait'
import { gate } from '@/testing/gate'
import { renderRoute } from '@/testing/render-route'
import {
  cart,
  cartItem,
  config,
  koval,
  olena,
  order,
  orderDetails,
  orderItem,
  summaryOf,
} from '@/testing/samples'
import { answer, breakOff, callsOf, intercept, lose, refuse, startServer } from '@/testing/server'

vi.mock('@/lib/leave-page', () => ({ leavePage: vi.fn<(address: string) => void>() }))
// A test decides what the dialog of a proof answers.
vi.mock('@/features/auth/confirmation/confirmation', () => ({ Confirmation: () => null }))
// Each test decides when a wait ends.
vi.mock('@/lib/wait', () => ({ wait: vi.fn<(milliseconds: number) => Promise<void>>() }))

startServer()

const visa = { Token: 'token-visa', MaskPan: '42424242****4242' }
const lostTitle = 'Сервер не відповів'
const unknownTitle = 'Чи створено замовлення, ще невідомо'
const bankPage = 'https://bank.example/invoice/1'

beforeEach(() => {
  vi.mocked(wait).mockResolvedValue()
  answer('get', '/api/order/{id}/details', orderDetails())
  answer('get', '/api/cart', cart(cartItem()))
  answer('get', '/api/order/token/get-all-tokens-by-phone', { tokens: [visa], last_used: null })
  answer('get', '/api/order', { orders: [], next: null })
})

afterEach(() => {
  sessionStorage.clear()
})

/** What the tab keeps of payments. Parts that are loaded later keep other things. */
const intents = () =>
  Object.fromEntries(Object.entries(sessionStorage).filter(([name]) => name.startsWith('pay-intent:')))

/** Answers with the new order, also when it is read later. */
function answerOrder(given: Parameters<typeof order>[0]): void {
  const made = order(given)
  answer('post', '/api/order/create', { order: summaryOf(made) })
  answer('get', '/api/order/{id}', { order: made })
}

type User = Awaited<ReturnType<typeof renderRoute>>['user']

async function openPopup(user: User) {
  await user.click(await screen.findByRole('button', { name: /^Сплатити .* – Коваль/u }))
  return within(await screen.findByRole('dialog', { name: 'Спосіб оплати' }))
}

async function choose(user: User, card: RegExp) {
  const popup = await openPopup(user)
  await user.click(popup.getByRole('radio', { name: card }))
  await user.click(popup.getByRole('checkbox'))
  return popup.getByRole('button', { name: /^Сплатити/u })
}

const keys = () => callsOf('/api/order/create').map(({ headers }) => headers.get('idempotency-key'))

const ACT = '/api/cart/act'
const numberField = () => screen.findByLabelText(/^Реєстровий номер/u)

async function typeNumber(user: User) {
  await user.click(await screen.findByText('Нотаріальна дія'))
  await user.type(await numberField(), '7')
}

it('names recipient, code, account, purpose and sum of each transfer before it is paid', async () => {
  const { user } = await renderRoute('/cart')
  const transfers = within((await openPopup(user)).getByRole('list', { name: 'Перекази' }))
  const shown = transfers
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent.replaceAll('\u00A0', ' '))
  expect(shown).toEqual([
    'ГУК у м.Києві/Голосіїв.р-н/22012600132,00 грнКод 37993783, UA84 8999 9809 9902 2012 6003 0005 1101 Адміністративний збір за державну реєстрацію права власності',
    'Шевченко Оксана Іванівна198,00 грнКод 3068208400, UA22 3052 9900 0002 6001 2345 6789 0Плата за державну реєстрацію права власності',
  ])
})

describe('what is typed of a notarial act', () => {
  it('is saved before its payments are ordered, also when an earlier save is still on its way', async () => {
    const [first, second] = [gate(), gate()]
    answer('post', ACT, async ({ body }) => {
      const { object } = body as NotarialAct
      await (object === null ? first : second).passed
      return body as NotarialAct
    })
    answerOrder({ status: 'paid', payment_state: 'paid' })
    const { user } = await renderRoute('/cart')
    await typeNumber(user)
    await user.tab()
    await waitFor(() => expect(callsOf(ACT)).toHaveLength(1))
    fireEvent.change(screen.getByLabelText(/^Об’єкт/u), { target: { value: 'квартира 12' } })
    await user.click(screen.getByLabelText(/^Об’єкт/u))
    await user.click(await choose(user, /Visa/u))
    first.open()
    await waitFor(() => expect(callsOf(ACT)).toHaveLength(2))
    expect(callsOf('/api/order/create')).toHaveLength(0)
    second.open()
    await waitFor(() => expect(callsOf('/api/order/create')).toHaveLength(1))
  })

  it('goes with the order where it could not be saved in the cart', async () => {
    refuse('post', ACT, 500, { message: 'internal_error' })
    answerOrder({ status: 'paid', payment_state: 'paid' })
    answer('post', '/api/order/{id}/act', ({ body }) => ({ order: order({ act: body as NotarialAct }) }))
    const { user, address } = await renderRoute('/cart')
    await typeNumber(user)
    await user.tab()
    expect(await screen.findByText('Не збережено')).toBeVisible()
    answer('post', '/api/order/create', () => {
      refuse('post', ACT, 404, { message: 'cart_group_empty' })
      answer('get', '/api/cart', cart())
      return { order: summaryOf(order({ status: 'paid', payment_state: 'paid' })) }
    })
    await user.click(await choose(user, /Visa/u))
    await waitFor(() => expect(address()).toBe('/archive'))
    expect(callsOf('/api/order/{id}/act').map(({ body }) => body)).toEqual([
      { register_number: '7', date: null, object: null },
    ])
  })

  it('is saved with the order before the bank’s page is opened', async () => {
    refuse('post', ACT, 500, { message: 'internal_error' })
    const saved = gate()
    answer('post', '/api/order/{id}/act', async ({ body }) => {
      await saved.passed
      return { order: order({ act: body as NotarialAct }) }
    })
    answer('post', '/api/order/create', () => {
      refuse('post', ACT, 404, { message: 'cart_group_empty' })
      return { order: summaryOf(order({ status: 'pending', widget_url: bankPage })) }
    })
    // What another window has saved of it stays.
    answer('get', '/api/order/{id}', {
      order: order({ act: { register_number: null, date: null, object: 'квартира 12' } }),
    })
    const { user } = await renderRoute('/cart')
    await typeNumber(user)
    await user.tab()
    expect(await screen.findByText('Не збережено')).toBeVisible()
    vi.mocked(leavePage).mockClear()
    await user.click(await choose(user, /Інша картка/u))
    await waitFor(() => expect(callsOf('/api/order/{id}/act')).toHaveLength(1))
    expect(callsOf('/api/order/{id}/act')[0]?.body).toEqual({
      register_number: '7',
      date: null,
      object: 'квартира 12',
    })
    expect(leavePage).not.toHaveBeenCalled()
    saved.open()
    await waitFor(() => expect(leavePage).toHaveBeenCalledWith(bankPage))
  })

  it('comes back with the payment that was deleted by mistake', async () => {
    refuse('post', ACT, 500, { message: 'internal_error' })
    answer('post', '/api/cart/item/delete', { items_count: 0 })
    answer('post', '/api/cart/item/restore', { items_count: 1 })
    const { user } = await renderRoute('/cart')
    await typeNumber(user)
    await user.tab()
    expect(await screen.findByText('Не збережено')).toBeVisible()
    refuse('post', ACT, 404, { message: 'cart_group_empty' })
    answer('get', '/api/cart', cart())
    await user.click(screen.getByRole('button', { name: /^Видалити: /u }))
    const undo = await screen.findByRole('button', { name: 'Повернути' })
    await waitFor(() => expect(screen.queryByText('Нотаріальна дія')).not.toBeInTheDocument())
    answer('get', '/api/cart', cart(cartItem()))
    answer('post', ACT, ({ body }) => {
      const now = cart(cartItem())
      answer('get', '/api/cart', {
        ...now,
        groups: now.groups.map(({ client, items, amount }) => ({
          client,
          items,
          amount,
          act: body as NotarialAct,
        })),
      })
      return body as NotarialAct
    })
    await user.click(undo)
    expect(await numberField()).toHaveValue('7')
    const reads = callsOf('/api/cart').length
    await waitFor(() =>
      expect(callsOf(ACT).at(-1)?.body).toMatchObject({ register_number: '7', object: null }),
    )
    await waitFor(() => expect(callsOf('/api/cart').length).toBeGreaterThan(reads))
    await waitFor(() => expect(screen.queryByText('Ще не збережено')).not.toBeInTheDocument())
    expect(await numberField()).toHaveValue('7')
  })

  it('never comes to other payments of the client', async () => {
    refuse('post', ACT, 500, { message: 'internal_error' })
    answer('get', '/api/order', { orders: [], next: null })
    const { user, go } = await renderRoute('/cart')
    await typeNumber(user)
    await user.tab()
    expect(await screen.findByText('Не збережено')).toBeVisible()
    await go('/archive')
    // They were ordered on another device, and another payment was added.
    answer('get', '/api/cart', cart(cartItem({ id: 'item-2' })))
    await act(() => queryClient.invalidateQueries({ queryKey: ['cart'] }))
    await go('/cart')
    await waitFor(async () => expect(await numberField()).toHaveValue(''))
    expect(screen.queryByText('№ 7')).not.toBeInTheDocument()
  })

  it('that is being saved when the notary signs out keeps nobody’s next payment waiting', async () => {
    const end = gate()
    answer('post', ACT, async ({ body }) => {
      await end.passed
      return body as NotarialAct
    })
    const { user } = await renderRoute('/cart')
    await typeNumber(user)
    await user.tab()
    await waitFor(() => expect(callsOf(ACT)).not.toHaveLength(0))
    act(() => session.close())
    cleanup()
    answer('post', ACT, ({ body }) => body as NotarialAct)
    answerOrder({ status: 'paid', payment_state: 'paid' })
    const again = await renderRoute('/cart')
    await again.user.click(await choose(again.user, /Visa/u))
    await waitFor(() => expect(callsOf('/api/order/create')).toHaveLength(1))
    end.open()
  })
})

describe('the popup', () => {
  it('offers the saved cards and another one, and says what is missing', async () => {
    const { user } = await renderRoute('/cart')
    const popup = await openPopup(user)
    expect(popup.getAllByRole('radio').map((radio) => radio.closest('label')?.textContent)).toEqual([
      'Visa •••• 4242',
      'Інша карткаДані картки вводяться на захищеній сторінці банку',
    ])
    const pay = popup.getByRole('button', { name: /^Сплатити/u })
    expect(pay).toHaveAccessibleDescription('Виберіть картку та погодьтеся з умовами оферти')
    await user.click(popup.getByRole('radio', { name: /Visa/u }))
    expect(pay).toHaveAccessibleDescription('Оплата: Visa 4242 Погодьтеся з умовами оферти')
    await user.click(pay)
    expect(callsOf('/api/order/create')).toEqual([])
    await user.click(popup.getByRole('checkbox'))
    expect(popup.getByRole('button', { name: /^Сплатити/u })).toHaveAccessibleDescription('Оплата: Visa 4242')
  })

  it('shows what the recipients get and the commission', async () => {
    const { user } = await renderRoute('/cart')
    const popup = await openPopup(user)
    expect(popup.getByText(/^Отримувачам 330,00\sгрн, комісія 20,00\sгрн$/u)).toBeVisible()
  })

  it('has the card chosen that paid last', async () => {
    const other = { Token: 'token-other', MaskPan: '55555555****4444' }
    answer('get', '/api/order/token/get-all-tokens-by-phone', {
      tokens: [other, visa],
      last_used: visa.Token,
    })
    const { user } = await renderRoute('/cart')
    const popup = await openPopup(user)
    expect(popup.getByRole('radio', { name: /Visa/u })).toBeChecked()
    expect(popup.getByRole('button', { name: /^Сплатити/u })).toHaveAccessibleDescription(
      'Оплата: Visa 4242 Погодьтеся з умовами оферти',
    )
  })

  it('names beside Pay what will be charged', async () => {
    const { user } = await renderRoute('/cart')
    const popup = await openPopup(user)
    const foot = () => popup.getByRole('checkbox').closest('.dialog-foot')
    expect(foot()).not.toHaveTextContent(/4242|банку/u)
    await user.click(popup.getByRole('radio', { name: /Visa/u }))
    expect(foot()).toHaveTextContent('Оплата: Visa •••• 4242')
    await user.click(popup.getByRole('radio', { name: /Інша картка/u }))
    expect(foot()).toHaveTextContent('Оплата: на сторінці банку')
    expect(foot()).not.toHaveTextContent('4242')
  })

  it('offers to add a card where none is saved', async () => {
    answer('get', '/api/order/token/get-all-tokens-by-phone', { tokens: [], last_used: null })
    const { user } = await renderRoute('/cart')
    const popup = await openPopup(user)
    expect(popup.getByText('Збережених карток ще немає')).toBeVisible()
    expect(popup.getByRole('link', { name: 'Додати картку' })).toHaveAttribute('href', '/me/user-cards')
  })

  it('opens the offer in the language of the page, also after a switch', async () => {
    const { user } = await renderRoute('/cart', { config: { ...config, offer_url: '/offer' } })
    const popup = await openPopup(user)
    expect(popup.getByRole('link', { name: 'умовами публічної оферти' })).toHaveAttribute(
      'href',
      `${location.origin}/offer?language=uk`,
    )
    await act(() => switchLocale('en'))
    expect(popup.getByRole('link', { name: 'the terms of the public offer' })).toHaveAttribute(
      'href',
      `${location.origin}/offer?language=en`,
    )
  })

  it('opens without the list where that did not load', async () => {
    refuse('get', '/api/order/token/get-all-tokens-by-phone', 502, { message: 'acquirer_unavailable' })
    const { user } = await renderRoute('/cart')
    const popup = await openPopup(user)
    expect(popup.getByText('Збережені картки не вдалося завантажити')).toBeVisible()
    expect(popup.getByRole('radio', { name: /Інша картка/u })).toBeEnabled()
  })

  it('offers no way out while it pays or the outcome is unknown, and never says that a list is empty that did not load', async () => {
    refuse('get', '/api/order/token/get-all-tokens-by-phone', 502, { message: 'acquirer_unavailable' })
    lose('post', '/api/order/create', 3)
    const { user } = await renderRoute('/cart')
    const popup = await openPopup(user)
    await user.click(popup.getByRole('radio', { name: /Інша картка/u }))
    await user.click(popup.getByRole('checkbox'))
    const moment = gate()
    vi.mocked(wait).mockReturnValue(moment.passed)
    await user.click(popup.getByRole('button', { name: /^Сплатити/u }))
    expect(await popup.findByText(/Не сплачуйте вдруге/u)).toBeVisible()
    const expectNoOffer = () => {
      expect(popup.queryByText('Збережених карток ще немає')).not.toBeInTheDocument()
      expect(popup.queryByRole('link', { name: 'Додати картку' })).not.toBeInTheDocument()
    }
    expectNoOffer()
    moment.open()
    expect(await popup.findByText(lostTitle)).toBeVisible()
    expectNoOffer()
  })
})

describe('a saved card', () => {
  it('is charged once, and the archive follows after the redirecting state', async () => {
    answerOrder({ status: 'paid' })
    const { user, address } = await renderRoute('/cart')
    const pay = await choose(user, /Visa/u)
    const moment = gate()
    vi.mocked(wait).mockReturnValue(moment.passed)
    await user.dblClick(pay)
    expect(await screen.findByText('Платіж прийнято, переходимо до архіву…')).toBeVisible()
    expect(wait).toHaveBeenCalledExactlyOnceWith(3000)
    expect(address()).toBe('/cart')
    moment.open()
    await waitFor(() => expect(address()).toBe('/archive'))
    expect(callsOf('/api/order/create').map(({ body }) => body)).toEqual([
      { client_id: koval.id, token_id: 'token-visa', pan: '42424242****4242', locale: 'uk', sum: 350 },
    ])
  })

  it('does not lead a notary to the archive who has gone elsewhere in the redirecting state', async () => {
    answerOrder({ status: 'paid' })
    const { user, address, go } = await renderRoute('/cart')
    const pay = await choose(user, /Visa/u)
    const moment = gate()
    vi.mocked(wait).mockReturnValue(moment.passed)
    await user.click(pay)
    expect(await screen.findByText('Платіж прийнято, переходимо до архіву…')).toBeVisible()
    await act(() => go('/me'))
    expect(await screen.findByRole('heading', { level: 1, name: 'Картка нотаріуса' })).toBeVisible()
    moment.open()
    expect(await screen.findByText('Замовлення № 100042 створено')).toBeVisible()
    expect(address()).toBe('/me')
  })

  it('is in the archive that was opened before, without news of it', async () => {
    const made = order({ status: 'paid' })
    answerOrder({ status: 'paid' })
    const { user, go } = await renderRoute('/archive')
    expect(await screen.findByText(/Замовлень ще немає/u)).toBeVisible()
    await go('/cart')
    const pay = await choose(user, /Visa/u)
    answer('get', '/api/order', { orders: [made], next: null })
    await user.click(pay)
    expect(await screen.findByRole('region', { name: `Замовлення № ${made.number}` })).toBeVisible()
  })

  it('that is declined leads to the error page after the redirecting state', async () => {
    answerOrder({ status: 'failed' })
    const { user, address } = await renderRoute('/cart')
    const pay = await choose(user, /Visa/u)
    const moment = gate()
    vi.mocked(wait).mockReturnValue(moment.passed)
    await user.click(pay)
    expect(await screen.findByText('Оплата не пройшла, відкриваємо замовлення…')).toBeVisible()
    expect(wait).toHaveBeenCalledExactlyOnceWith(3000)
    expect(address()).toBe('/cart')
    moment.open()
    await waitFor(() => expect(address()).toBe('/order/order-1/error'))
  })

  it('that is declined logs the message of the specification', async () => {
    const written = vi.spyOn(console, 'error').mockReturnValue()
    answerOrder({ status: 'failed' })
    const { user, address } = await renderRoute('/cart')
    await user.click(await choose(user, /Visa/u))
    await waitFor(() => expect(address()).toBe('/order/order-1/error'))
    expect(written).toHaveBeenCalledExactlyOnceWith('Помилка оплати токеном')
  })

  it('with an unknown outcome is looked up, not charged again', async () => {
    answerOrder({ status: 'in_progress' })
    // The status page never ends its wait.
    vi.mocked(wait).mockReturnValue(gate().passed)
    const { user, address } = await renderRoute('/cart')
    await user.click(await choose(user, /Visa/u))
    await waitFor(() => expect(address()).toBe('/order/order-1/payment-status'))
    expect(callsOf('/api/order/create')).toHaveLength(1)
  })
})

describe('a saved card on a new device, or soon after another mail address', () => {
  it.each([
    ['device_too_new', /^Цей пристрій новий/u],
    ['contacts_too_new', /^Електронну пошту змінено.*Доки доба не мине, збереженою карткою/u],
  ] as const)('pays no new recipient, and the bank’s page is one press away: %s', async (message, said) => {
    vi.mocked(wait).mockReturnValue(gate().passed)
    // A 403 renews the session first.
    answer('post', '/api/auth/refresh', {
      access_token: 'renewed',
      refresh_token: null,
      expires_in: 900,
      notary_id: 'a-notary',
      session_expires_at: '2026-11-20T22:00:00Z',
    })
    refuse('post', '/api/order/create', 403, { message })
    const { user, address } = await renderRoute('/cart')
    const pay = await choose(user, /Visa/u)
    await user.click(pay)
    expect(await screen.findByText('Замовлення не створено, кошти не списано')).toBeVisible()
    expect(screen.getByText(said)).toBeVisible()
    answerOrder({ status: 'pending', widget_url: bankPage })
    vi.mocked(leavePage).mockClear()
    await user.click(screen.getByRole('button', { name: 'Сплатити на сторінці банку' }))
    await waitFor(() => expect(leavePage).toHaveBeenCalledExactlyOnceWith(bankPage))
    expect(address()).toBe('/order/order-1/payment-status')
    expect(callsOf('/api/order/create').at(-1)?.body).toEqual({ client_id: koval.id, locale: 'uk', sum: 350 })
  })
})

describe('a saved card that only a passkey could prove', () => {
  it('leaves the bank’s page one press away', async () => {
    vi.mocked(wait).mockReturnValue(gate().passed)
    const proof = {
      client_id: koval.id,
      order_id: null,
      part: null,
      sum: 350,
      new_recipients: 1,
      largest: { sum: 350, account_end: '6001' },
      card_figures: null,
      act: null,
      beyond_daily: null,
      kinds: ['passkey' as const],
    }
    refuse('post', '/api/order/create', 403, { message: 'confirmation_required', proof })
    onTestFinished(confirmBy(() => Promise.resolve(false)))
    const { user } = await renderRoute('/cart')
    await user.click(await choose(user, /Visa/u))
    expect(await screen.findByRole('button', { name: 'Сплатити на сторінці банку' })).toBeVisible()
  })
})

describe('another card', () => {
  beforeEach(() => {
    // The status page never ends its wait: its second request has tests of its own.
    vi.mocked(wait).mockReturnValue(gate().passed)
  })

  it('is entered on the bank’s page, and Back leads to the order', async () => {
    answerOrder({ status: 'pending', widget_url: bankPage })
    const { user, address } = await renderRoute('/cart')
    await user.click(await choose(user, /Інша картка/u))
    await waitFor(() => expect(leavePage).toHaveBeenCalledExactlyOnceWith(bankPage))
    expect(address()).toBe('/order/order-1/payment-status')
    expect(callsOf('/api/order/create')[0]?.body).toEqual({ client_id: koval.id, locale: 'uk', sum: 350 })
  })

  it('never leads to an address that is not of the web', async () => {
    answerOrder({ status: 'pending', widget_url: 'javascript:alert(1)' })
    const { user, address } = await renderRoute('/cart')
    await user.click(await choose(user, /Інша картка/u))
    await waitFor(() => expect(address()).toBe('/order/order-1/payment-status'))
    expect(leavePage).not.toHaveBeenCalled()
  })

  it('is asked for straight away in the legacy flow', async () => {
    answerOrder({ status: 'pending', widget_url: bankPage })
    const { user } = await renderRoute('/cart', { notary: { ...olena, new_flow_enabled: false } })
    await user.click(await screen.findByRole('button', { name: /^Сплатити .* – Коваль/u }))
    await waitFor(() => expect(leavePage).toHaveBeenCalledExactlyOnceWith(bankPage))
    expect(screen.queryByRole('dialog', { name: 'Спосіб оплати' })).not.toBeInTheDocument()
  })

  it('holds the legacy flow’s page until it is answered', async () => {
    const slow = gate()
    const made = order({ status: 'pending', widget_url: bankPage })
    answer('get', '/api/order/{id}', { order: made })
    answer('post', '/api/order/create', async () => {
      await slow.passed
      return { order: summaryOf(made) }
    })
    const { user } = await renderRoute('/cart', { notary: { ...olena, new_flow_enabled: false } })
    await user.click(await screen.findByRole('button', { name: /^Сплатити .* – Коваль/u }))
    expect(await screen.findByRole('dialog', { name: 'Створюємо замовлення…' })).toHaveProperty('open', true)
    slow.open()
    await waitFor(() => expect(leavePage).toHaveBeenCalledExactlyOnceWith(bankPage))
  })

  it('does not redirect a notary who has left the page', async () => {
    const slow = gate()
    const made = order({ status: 'pending', widget_url: bankPage })
    answer('get', '/api/order/{id}', { order: made })
    answer('post', '/api/order/create', async () => {
      await slow.passed
      return { order: summaryOf(made) }
    })
    const { user, go, address } = await renderRoute('/cart', {
      notary: { ...olena, new_flow_enabled: false },
    })
    await user.click(await screen.findByRole('button', { name: /^Сплатити .* – Коваль/u }))
    await go('/archive')
    slow.open()
    expect(await screen.findByText('Замовлення № 100042 створено')).toBeVisible()
    expect(address()).toBe('/archive')
    expect(leavePage).not.toHaveBeenCalled()
    await user.click(await screen.findByRole('button', { name: 'Відкрити' }))
    await waitFor(() => expect(address()).toBe('/order/order-1/payment-status'))
  })
})

describe('a lost answer', () => {
  it('is asked for again with the same key', async () => {
    answerOrder({ status: 'pending', widget_url: bankPage })
    lose('post', '/api/order/create', 1)
    const { user } = await renderRoute('/cart')
    await user.click(await choose(user, /Інша картка/u))
    await waitFor(() => expect(leavePage).toHaveBeenCalled())
    const [first, second, ...others] = keys()
    expect(first).toMatch(/^[\da-f-]{36}$/u)
    expect(second).toBe(first)
    expect(others).toEqual([])
  })

  it('that stays lost says so, and the next press asks for the same order', async () => {
    answerOrder({ status: 'pending', widget_url: bankPage })
    lose('post', '/api/order/create', 3)
    const { user } = await renderRoute('/cart')
    const pay = await choose(user, /Інша картка/u)
    const moment = gate()
    vi.mocked(wait).mockReturnValue(moment.passed)
    await user.click(pay)
    expect(await screen.findByText(/Не сплачуйте вдруге/u)).toBeVisible()
    moment.open()
    expect(await screen.findByText('Сервер не відповів')).toBeVisible()
    expect(screen.getByText(/повторна спроба не створить другого замовлення/u)).toBeVisible()
    await user.click(pay)
    await waitFor(() => expect(leavePage).toHaveBeenCalled())
    expect(new Set(keys())).toHaveProperty('size', 1)
  })

  it.each([
    ['breaks off', lostTitle, () => breakOff('post', '/api/order/create', 3)],
    [
      'is a proxy’s page',
      lostTitle,
      () => intercept('post', '/api/order/create', 200, '<h1>Sign in</h1>', 3),
    ],
    [
      'is a proxy’s refusal',
      lostTitle,
      () => intercept('post', '/api/order/create', 403, '{"message":"Forbidden"}'),
    ],
    [
      'is a broken server’s',
      unknownTitle,
      () => intercept('post', '/api/order/create', 500, '{"message":"Error"}'),
    ],
    ['is no order', lostTitle, () => intercept('post', '/api/order/create', 200, '{}')],
  ])('that %s says “%s” and never that no money was taken', async (_name, title, spoil) => {
    spoil()
    const { user } = await renderRoute('/cart')
    await user.click(await choose(user, /Visa/u))
    expect(await screen.findByText(title)).toBeVisible()
    expect(screen.getByRole('link', { name: 'До архіву' })).toHaveAttribute('href', '/archive')
    expect(screen.queryByText(/кошти не списано/u)).not.toBeInTheDocument()
    expect(sessionStorage.getItem(`pay-intent:${koval.id}`)).toBe(`${keys()[0]} open\nitem-1*1`)
  })

  it('is never asked for again by a payment of other items', async () => {
    answerOrder({ status: 'pending', widget_url: bankPage })
    lose('post', '/api/order/create', 3)
    const first = await renderRoute('/cart')
    await first.user.click(await choose(first.user, /Visa/u))
    expect(await screen.findByText('Сервер не відповів')).toBeVisible()

    // The lost order has taken its items from the cart, and another fee of the same sum was added.
    cleanup()
    answer('get', '/api/cart', cart(cartItem({ id: 'item-2' })))
    const second = await renderRoute('/cart')
    await second.user.click(await choose(second.user, /Visa/u))
    await waitFor(() => expect(keys()).toHaveLength(4))
    const [lost] = keys()
    expect(keys().slice(0, 3)).toEqual([lost, lost, lost])
    expect(keys()[3]).not.toBe(lost)
  })

  it('is not asked for again by the open popup either when the cart has other items since', async () => {
    answerOrder({ status: 'pending', widget_url: bankPage })
    lose('post', '/api/order/create', 3)
    const { user } = await renderRoute('/cart')
    await user.click(await choose(user, /Visa/u))
    expect(await screen.findByText('Сервер не відповів')).toBeVisible()
    answer('get', '/api/cart', cart(cartItem({ id: 'item-2' })))
    await act(() => queryClient.invalidateQueries())
    await user.click(await screen.findByRole('button', { name: /^Сплатити [^–]*$/u }))
    await waitFor(() => expect(keys()).toHaveLength(4))
    expect(new Set(keys().slice(0, 3)).size).toBe(1)
    expect(keys()[3]).not.toBe(keys()[0])
  })

  it.each([
    [429, 'too_many_requests', 'Забагато спроб. Зачекайте трохи й спробуйте ще раз'],
    [422, 'card_not_found', 'Ця збережена картка вже недоступна. Виберіть іншу'],
  ] as const)('followed by a refusal with %i stays open, also after a reload', async (status, key, text) => {
    refuse('post', '/api/order/create', status, { message: key })
    lose('post', '/api/order/create', 1)
    const first = await renderRoute('/cart')
    await first.user.click(await choose(first.user, /Visa/u))
    expect(await screen.findByText('Чи створено замовлення, ще невідомо')).toBeVisible()
    expect(screen.getByText(`${text}.`)).toBeVisible()
    expect(screen.queryByText(/кошти не списано/u)).not.toBeInTheDocument()

    cleanup()
    const second = await renderRoute('/cart')
    await second.user.click(await choose(second.user, /Visa/u))
    expect(await screen.findByText('Чи створено замовлення, ще невідомо')).toBeVisible()
    expect(new Set(keys())).toHaveProperty('size', 1)
  })

  it('keeps its key and the ids of the items over a reload, and nothing else', async () => {
    answerOrder({ status: 'pending', widget_url: bankPage })
    refuse('post', '/api/order/create', 429, { message: 'too_many_requests' })
    const first = await renderRoute('/cart')
    await first.user.click(await choose(first.user, /Visa/u))
    expect(await screen.findByText('Забагато спроб. Зачекайте трохи й спробуйте ще раз')).toBeVisible()
    expect(intents()).toEqual({ [`pay-intent:${koval.id}`]: `${keys()[0]}\nitem-1*1` })
  })
})

describe('a refusal', () => {
  it('of payments that are no longer in the cart does not say that nothing was taken', async () => {
    refuse('post', '/api/order/create', 409, { message: 'cart_group_empty' })
    const { user } = await renderRoute('/cart')
    await user.click(await choose(user, /Visa/u))
    expect(await screen.findByText('У кошику вже немає платежів цього клієнта')).toBeVisible()
    expect(screen.getByRole('alert')).toHaveTextContent(/Перевірте архів, перш ніж сплачувати знову/u)
    expect(screen.queryByText(/кошти не списано/u)).not.toBeInTheDocument()
    const popup = within(screen.getByRole('dialog', { name: 'Спосіб оплати' }))
    expect(popup.queryByRole('button', { name: /^Сплатити/u })).not.toBeInTheDocument()
    await waitFor(() => expect(popup.getByRole('button', { name: 'Скасувати' })).toHaveFocus())
  })

  it('stays on the page of the legacy flow when its group has left the cart', async () => {
    refuse('post', '/api/order/create', 409, { message: 'cart_group_empty' })
    const { user } = await renderRoute('/cart', { notary: { ...olena, new_flow_enabled: false } })
    const pay = await screen.findByRole('button', { name: /^Сплатити .* – Коваль/u })
    answer('get', '/api/cart', cart())
    await user.click(pay)
    expect(await screen.findByText('Кошик порожній')).toBeVisible()
    expect(screen.getByText('У кошику вже немає платежів цього клієнта')).toBeVisible()
    expect(screen.getAllByRole('link', { name: 'До архіву' })).not.toHaveLength(0)
  })

  it('of a saved card logs the message of the specification', async () => {
    const written = vi.spyOn(console, 'error').mockReturnValue()
    refuse('post', '/api/order/create', 422, { message: 'card_not_found' })
    const { user } = await renderRoute('/cart')
    await user.click(await choose(user, /Visa/u))
    await screen.findByText('Замовлення не створено, кошти не списано')
    expect(written).toHaveBeenCalledExactlyOnceWith('Помилка оплати токеном')
  })

  it('says that no money was taken and begins anew', async () => {
    refuse('post', '/api/order/create', 422, { message: 'card_not_found' })
    const { user } = await renderRoute('/cart')
    const pay = await choose(user, /Visa/u)
    await user.click(pay)
    expect(await screen.findByText('Замовлення не створено, кошти не списано')).toBeVisible()
    expect(intents()).toEqual({})
    answerOrder({ status: 'failed' })
    await user.click(pay)
    await waitFor(() => expect(keys()).toHaveLength(2))
    const [before, after] = keys()
    expect(after).not.toBe(before)
  })

  it('of a sum that is no longer the cart’s shows the right one before the next press', async () => {
    refuse('post', '/api/order/create', 409, { message: 'price_changed' })
    const { user } = await renderRoute('/cart')
    const pay = await choose(user, /Visa/u)
    answer('get', '/api/cart', cart(cartItem({ count: 2, sum_total: 700 })))
    await user.click(pay)
    expect(
      await screen.findByText('Сума до сплати змінилася. Перевірте нову суму перед оплатою'),
    ).toBeVisible()
    const right = await screen.findByRole('button', { name: /^Сплатити 700,00\sгрн$/u })
    answerOrder({ status: 'failed' })
    await user.click(right)
    await waitFor(() =>
      expect(callsOf('/api/order/create').map(({ body }) => body)).toMatchObject([
        { sum: 350 },
        { sum: 700 },
      ]),
    )
  })

  it('of an ordered group leads to the order that exists', async () => {
    const existing = order({ status: 'pending' })
    refuse('post', '/api/order/create', 409, { message: 'cart_already_ordered', order: summaryOf(existing) })
    answer('get', '/api/order/{id}', { order: existing })
    const { user, address } = await renderRoute('/cart')
    await user.click(await choose(user, /Visa/u))
    await waitFor(() => expect(address()).toBe('/order/order-1/payment-status'))
  })

  it('of a group that was emptied meanwhile does not lead to an earlier order of the client', async () => {
    const earlier = order({ items: [orderItem({ id: 'item-of-last-week' })] })
    refuse('post', '/api/order/create', 409, { message: 'cart_already_ordered', order: summaryOf(earlier) })
    answer('get', '/api/order/{id}', { order: earlier })
    const { user, address } = await renderRoute('/cart')
    await user.click(await choose(user, /Visa/u))
    expect(await screen.findByText('У кошику вже немає платежів цього клієнта')).toBeVisible()
    expect(address()).toBe('/cart')
  })

  it('of a key that made an order with another card is asked about with a new one', async () => {
    const existing = order({ status: 'paid' })
    answer('get', '/api/order/{id}', { order: existing })
    refuse('post', '/api/order/create', 409, { message: 'cart_already_ordered', order: summaryOf(existing) })
    refuse('post', '/api/order/create', 409, { message: 'idempotency_key_reused' }, { once: true })
    const { user, address } = await renderRoute('/cart')
    await user.click(await choose(user, /Visa/u))
    await waitFor(() => expect(address()).toBe('/order/order-1/success'))
    const [before, after] = keys()
    expect(after).not.toBe(before)
  })
})

it('makes one order of many fast presses', async () => {
  const slow = gate()
  const made = order({ status: 'failed' })
  answer('get', '/api/order/{id}', { order: made })
  answer('post', '/api/order/create', async () => {
    await slow.passed
    return { order: summaryOf(made) }
  })
  const { user, address } = await renderRoute('/cart')
  const pay = await choose(user, /Visa/u)
  await user.tripleClick(pay)
  await user.keyboard('{Enter}{Enter}')
  slow.open()
  await waitFor(() => expect(address()).toBe('/order/order-1/error'))
  expect(callsOf('/api/order/create')).toHaveLength(1)
})
