import { focusManager } from '@tanstack/react-query'
import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'

import type { OrderStatus, PaymentState } from '@/api/orders'
import { saveFile } from '@/lib/download'
import { leavePage } from '@/lib/leave-page'
import { beginLeaving } from '@/lib/leaving'
import { wait } from '@/lib/wait'
import { gate } from '@/testing/gate'
import { renderRoute } from '@/testing/render-route'
import { order, orderDetails, orderItem, returnedPart, summaryOf } from '@/testing/samples'
import { answer, answerBytes, callsOf, lose, refuse, startServer } from '@/testing/server'

vi.mock('@/lib/wait', () => ({ wait: vi.fn<(milliseconds: number) => Promise<void>>() }))
vi.mock('@/lib/leave-page', () => ({ leavePage: vi.fn<(address: string) => void>() }))
vi.mock('@/lib/download', () => ({ saveFile: vi.fn<(bytes: Blob, fileName: string) => void>() }))

startServer()

beforeEach(() => {
  vi.mocked(wait).mockResolvedValue()
  answer('get', '/api/order/{id}/details', orderDetails())
  answer('get', '/api/order', { orders: [], next: null })
  answer('get', '/api/order/token/get-all-tokens-by-phone', { tokens: [], last_used: null })
})

/** Answers with these statuses, one after the other; the last one is repeated. */
function answerStatuses(...statuses: readonly OrderStatus[]): void {
  let asked = 0
  answer('get', '/api/order/{id}', () => {
    const status = statuses[Math.min(asked, statuses.length - 1)] ?? 'paid'
    asked += 1
    return { order: order({ status }) }
  })
}

/** The part of a browser's tab that the page uses. */
const tab = () => ({
  opener: window as Window | null,
  location: { replace: vi.fn<(url: string) => void>() },
  close: vi.fn<() => void>(),
})

function expectNothingToPay(): void {
  const pays = { name: /оплати|сплатити|поверніться/iu }
  expect(screen.queryByRole('button', pays)).not.toBeInTheDocument()
  expect(screen.queryByRole('link', pays)).not.toBeInTheDocument()
}

describe('the status page', () => {
  it.each<[OrderStatus[], string]>([
    [['paid'], '/order/order-1/success'],
    [['failed'], '/order/order-1/error'],
    [['expired'], '/order/order-1/error'],
    [['refunded'], '/order/order-1/error'],
    [['pending', 'paid'], '/order/order-1/success'],
    [['pending', 'pending'], '/order/order-1/pending'],
    [['pending', 'failed'], '/order/order-1/error'],
    [['in_progress', 'paid'], '/order/order-1/success'],
    [['in_progress', 'in_progress'], '/order/order-1/pending'],
  ])('leads %j to %s', async (statuses, path) => {
    answerStatuses(...statuses)
    const { address } = await renderRoute('/order/order-1/payment-status')
    await waitFor(() => expect(address()).toBe(path))
    expect(await screen.findByText('Замовлення № 100042')).toBeVisible()
    expect(vi.mocked(wait).mock.calls).toEqual(statuses.length > 1 ? [[5000]] : [])
    expect(callsOf('/api/order/{id}').every(({ query }) => query['update_status'] === '1')).toBe(true)
  })

  it('tells by when it is known whether money was taken, where the bank’s answer was lost', async () => {
    const lost = order({
      status: 'in_progress',
      payment_state: 'unknown',
      answer_expected_at: '2026-11-19T14:07:09Z',
    })
    answer('get', '/api/order/{id}', { order: lost })
    await renderRoute('/order/order-1/pending')
    expect(await screen.findByText('Не сплачуйте вдруге')).toBeVisible()
    expect(screen.getByText(/^Відповідь буде до 19 листопада 2026.* 16:07/u)).toBeVisible()
  })

  it('shows that it is looking and warns against paying twice', async () => {
    vi.mocked(wait).mockReturnValue(gate().passed)
    answerStatuses('pending')
    await renderRoute('/order/order-1/payment-status')
    expect(await screen.findByRole('heading', { name: 'Перевіряємо оплату…' })).toBeVisible()
    expect(screen.getByText(/Не сплачуйте вдруге/u)).toBeVisible()
  })

  it('on the way to the bank decides nothing until it is shown again', async () => {
    answerStatuses('paid')
    beginLeaving()
    const { address } = await renderRoute('/order/order-1/payment-status')
    expect(await screen.findByText('Переходимо на захищену сторінку оплати…')).toBeVisible()
    expect(callsOf('/api/order/{id}')).toEqual([])
    act(() => window.dispatchEvent(new Event('pageshow')))
    await waitFor(() => expect(address()).toBe('/order/order-1/success'))
  })

  it('leads to the archive where the order does not load, and says so', async () => {
    refuse('get', '/api/order/{id}', 404, { message: 'not_found' })
    const { address } = await renderRoute('/order/order-1/payment-status')
    await waitFor(() => expect(address()).toBe('/archive'))
    expect(await screen.findByText(/Дізнатися статус замовлення не вдалося/u)).toBeVisible()
  })
})

describe('a result page', () => {
  it.each<[string, OrderStatus, string]>([
    ['success', 'failed', 'Помилка оплати'],
    ['success', 'in_progress', 'Оплата обробляється'],
    ['error', 'paid', 'Оплата успішна!'],
    ['pending', 'refunded', 'Кошти повернено'],
  ])('%s of an order that is %s shows “%s”', async (page, status, heading) => {
    answerStatuses(status)
    await renderRoute(`/order/order-1/${page}`)
    expect(await screen.findByRole('heading', { name: heading })).toBeVisible()
  })

  it('names a part that the bank has sent back, and calls the payment no success', async () => {
    answer('get', '/api/order/{id}', { order: order({ returned: [returnedPart()] }) })
    await renderRoute('/order/order-1/success')
    expect(
      await screen.findByRole('heading', { name: 'Частину коштів отримувачу не зараховано' }),
    ).toBeVisible()
    expect(await screen.findByText(/Причина/u)).toHaveTextContent(
      'Причина: Код отримувача не відповідає рахунку',
    )
    expect(screen.queryByText(/Кошти надійдуть отримувачам/u)).toBeNull()
  })

  it('says that all was sent back only if nothing was credited', async () => {
    answer('get', '/api/order/{id}', { order: order({ returned: [{ ...returnedPart(), amount: 330 }] }) })
    await renderRoute('/order/order-1/success')
    expect(await screen.findByRole('heading', { name: 'Кошти отримувачу не зараховано' })).toBeVisible()
  })

  it.each<[string, number, ReturnType<typeof returnedPart>[]]>([
    ['Частину коштів повернено на картку', 132, []],
    ['Кошти повернено на картку', 330, []],
    ['Частину коштів отримувачу не зараховано', 132, [{ ...returnedPart(), amount: 100 }]],
    ['Кошти отримувачу не зараховано', 132, [{ ...returnedPart(), amount: 198 }]],
    ['Частину коштів повернено на картку', 132, [{ ...returnedPart(), after: 'credited' }]],
    ['Частину коштів повернено на картку', 132, [{ ...returnedPart(), amount: 100, after: 'refunded' }]],
    ['Кошти повернено на картку', 132, [{ ...returnedPart(), amount: 198, after: 'called_off' }]],
    [
      'Частину коштів отримувачу не зараховано',
      132,
      [{ ...returnedPart(), amount: 100, after: 'refund_requested' }],
    ],
  ])(
    '“%s”: %d were given back before they were sent, and the bank returned %j',
    async (title, sum, parts) => {
      answer('get', '/api/order/{id}', { order: order({ given_back: sum, returned: parts }) })
      await renderRoute('/order/order-1/success')
      expect(await screen.findByRole('heading', { name: title })).toBeVisible()
      const notice = await screen.findByRole('alert')
      expect(notice).toHaveTextContent(
        `${sum},00 грн повернено на картку до передачі банку: отримувачу не надіслано`,
      )
      expect(notice).toHaveTextContent(/Завантажте квитанцію ще раз/u)
      expect(within(notice).queryAllByText(/Причина/u)).toHaveLength(parts.length)
      expect(screen.queryByText(/Кошти надійдуть отримувачам|Оплата успішна/u)).toBeNull()
    },
  )

  it.each([
    ['success', 404, 'not_found'],
    ['error', 500, 'internal_error'],
    ['pending', 404, 'not_found'],
  ] as const)(
    '%s of an order that does not load leads to the archive, and says so',
    async (page, status, message) => {
      refuse('get', '/api/order/{id}', status, { message })
      const { address } = await renderRoute(`/order/nobody/${page}`)
      await waitFor(() => expect(address()).toBe('/archive'))
      // What draws the toasts is loaded by the first one, and draws it anew.
      await waitFor(() => expect(screen.getByText(/Дізнатися статус замовлення не вдалося/u)).toBeVisible())
    },
  )
})

it('a result page waits for the connection', async () => {
  lose('get', '/api/order/{id}', 10)
  const { address } = await renderRoute('/order/order-1/success')
  expect(await screen.findByRole('heading', { name: 'Сторінку не вдалося відкрити' })).toBeVisible()
  expect(address()).toBe('/order/order-1/success')
})

const paidBy = () => callsOf('/api/order/{id}/pay').map(({ body }) => body)

describe('after a decline the other saved cards', () => {
  const declined = { Token: 'token-declined', MaskPan: '400000******0002' }
  const visa = { Token: 'token-visa', MaskPan: '424242******4242' }
  const mastercard = { Token: 'token-mastercard', MaskPan: '55555555****4444' }
  const failed = order({ status: 'failed', pan: '400000******0002', failure: 'payment_insufficient_funds' })

  beforeEach(() => {
    answer('get', '/api/order/{id}', { order: failed })
    answer('get', '/api/order/token/get-all-tokens-by-phone', {
      tokens: [declined, visa, mastercard],
      last_used: null,
    })
  })

  it('are offered at once, and one pays the same order', async () => {
    const { user, address } = await renderRoute('/order/order-1/error')
    const cards = within(await screen.findByRole('group', { name: 'Сплатити іншою збереженою карткою' }))
    expect(cards.getAllByRole('radio').map((radio) => radio.closest('label')?.textContent)).toEqual([
      'Visa •••• 4242',
      'Mastercard •••• 4444',
    ])
    await user.click(cards.getByRole('radio', { name: /Mastercard/u }))
    const paid = order({ status: 'paid' })
    answer('post', '/api/order/{id}/pay', () => {
      answer('get', '/api/order/{id}', { order: paid })
      return { order: summaryOf(paid) }
    })
    await user.dblClick(screen.getByRole('button', { name: /^Сплатити 350,00\sгрн$/u }))
    await waitFor(() => expect(address()).toBe('/order/order-1/success'))
    expect(paidBy()).toEqual([{ token_id: 'token-mastercard', pan: '55555555****4444' }])
  })

  it('that are declined, too, say so and offer the others', async () => {
    const again = { ...failed, pan: '424242******4242' }
    const { user } = await renderRoute('/order/order-1/error')
    const pay = await screen.findByRole('button', { name: /^Сплатити 350,00\sгрн$/u })
    answer('post', '/api/order/{id}/pay', () => {
      answer('get', '/api/order/{id}', { order: again })
      return { order: summaryOf(again) }
    })
    await user.click(pay)
    expect(await screen.findByText('Картку •••• 4242 теж відхилено, кошти не списано')).toBeVisible()
    await waitFor(() => expect(screen.getAllByRole('radio')).toHaveLength(2))
    expect(screen.queryByRole('radio', { name: /4242/u })).not.toBeInTheDocument()
  })

  it('are never charged again after a lost answer: the status is looked up', async () => {
    lose('post', '/api/order/{id}/pay', 1)
    vi.mocked(wait).mockReturnValue(gate().passed)
    const { user, address } = await renderRoute('/order/order-1/error')
    const pay = await screen.findByRole('button', { name: /^Сплатити 350,00\sгрн$/u })
    answer('get', '/api/order/{id}', { order: order({ status: 'in_progress' }) })
    await user.click(pay)
    await waitFor(() => expect(address()).toBe('/order/order-1/payment-status'))
    expect(callsOf('/api/order/{id}/pay')).toHaveLength(1)
  })

  it('lead to the bank’s page where the card asks for a confirmation', async () => {
    const asks = order({ status: 'pending', widget_url: 'https://bank.example/3ds' })
    answer('post', '/api/order/{id}/pay', { order: summaryOf(asks) })
    const { user, address } = await renderRoute('/order/order-1/error')
    await user.click(await screen.findByRole('button', { name: /^Сплатити 350,00\sгрн$/u }))
    await waitFor(() => expect(leavePage).toHaveBeenCalledWith('https://bank.example/3ds'))
    expect(address()).toBe('/order/order-1/payment-status')
  })

  it('are not offered any more where the outcome is unknown', async () => {
    refuse('post', '/api/order/{id}/pay', 409, { message: 'payment_outcome_unknown' })
    const { user } = await renderRoute('/order/order-1/error')
    await user.click(await screen.findByRole('button', { name: /^Сплатити 350,00\sгрн$/u }))
    expect(await screen.findByText('Не сплачуйте вдруге')).toBeVisible()
    expectNothingToPay()
  })

  it('never say that no money was taken where the order was paid in another way meanwhile', async () => {
    const { user } = await renderRoute('/order/order-1/error')
    const pay = await screen.findByRole('button', { name: /^Сплатити 350,00\sгрн$/u })
    refuse('post', '/api/order/{id}/pay', 409, { message: 'order_not_payable' })
    refuse('get', '/api/order/{id}', 500, { message: 'internal_error' })
    await user.click(pay)
    expect(await screen.findByText('Не сплачуйте вдруге')).toBeVisible()
    expect(screen.getByText('Це замовлення вже не можна оплатити')).toBeVisible()
    expect(screen.queryByText(/Кошти не списано/iu)).not.toBeInTheDocument()
    expectNothingToPay()
  })

  it('say of this attempt alone that it took nothing where QR codes were given in another window', async () => {
    const { user } = await renderRoute('/order/order-1/error')
    const pay = await screen.findByRole('button', { name: /^Сплатити 350,00\sгрн$/u })
    refuse('post', '/api/order/{id}/pay', 409, { message: 'payment_codes_given' })
    refuse('get', '/api/order/{id}', 500, { message: 'internal_error' })
    await user.click(pay)
    expect(await screen.findByText('За цією спробою кошти не списано')).toBeVisible()
  })

  it.each([
    ['not_sent', 'Запит до банку не надіслано, кошти не списано'],
    ['declined', 'Картку •••• 4242 теж відхилено, кошти не списано'],
  ] as const)('say what came of the attempt where the order can’t be read: %s', async (state, title) => {
    const { user } = await renderRoute('/order/order-1/error')
    const pay = await screen.findByRole('button', { name: /^Сплатити 350,00\sгрн$/u })
    answer('post', '/api/order/{id}/pay', { order: summaryOf({ ...failed, payment_state: state }) })
    refuse('get', '/api/order/{id}', 500, { message: 'internal_error' })
    await user.click(pay)
    expect(await screen.findByText(title)).toBeVisible()
    expect(screen.queryByText(/теж відхилено/u) !== null).toBe(state === 'declined')
  })

  it('say nothing of a payment that is under review but look it up', async () => {
    vi.mocked(wait).mockReturnValue(gate().passed)
    const { user } = await renderRoute('/order/order-1/error')
    const pay = await screen.findByRole('button', { name: /^Сплатити 350,00\sгрн$/u })
    const doubted = order({ status: 'failed', payment_state: 'under_review' })
    answer('post', '/api/order/{id}/pay', () => {
      answer('get', '/api/order/{id}', { order: doubted })
      return { order: summaryOf(doubted) }
    })
    await user.click(pay)
    expect(await screen.findByText('Не сплачуйте вдруге')).toBeVisible()
    expect(screen.queryByText(/теж відхилено/u)).not.toBeInTheDocument()
  })

  it.each([
    ['after QR codes', { ...failed, codes_given_at: '2026-11-19T15:00:00Z' }],
    ['of an order that has expired', order({ status: 'expired' })],
    ['of one that is under review', { ...failed, payment_state: 'under_review' as const }],
  ])('are not offered %s', async (_name, given) => {
    answer('get', '/api/order/{id}', { order: given })
    await renderRoute('/order/order-1/error')
    expect(await screen.findByText('Замовлення № 100042')).toBeVisible()
    expect(callsOf('/api/order/token/get-all-tokens-by-phone')).toEqual([])
  })
})

describe('a paid order', () => {
  it('shows its number, sum and card', async () => {
    answerStatuses('paid')
    await renderRoute('/order/order-1/success')
    expect(await screen.findByText('Замовлення № 100042')).toBeVisible()
    expect(screen.getByText('424242******4242')).toBeVisible()
    expect(screen.getByText(/^Отримувачам 330,00\sгрн, комісія 20,00\sгрн$/u)).toBeVisible()
    expect(screen.getByText('Коваль Петро Олексійович', { exact: false })).toBeVisible()
  })

  it.each([
    ['Квитанція про сплату', 'payment', 'Receipt-order-1-payment.pdf'],
    ['Квитанція про комісію', 'commission', 'Receipt-order-1-commission.pdf'],
  ])('gives the %s with the bearer token and its name', async (button, type, fileName) => {
    answerStatuses('paid')
    answerBytes('get', '/api/order/{id}/receipt', 'application/pdf')
    const { user } = await renderRoute('/order/order-1/success')
    await user.click(await screen.findByRole('button', { name: button }))
    await waitFor(() => expect(saveFile).toHaveBeenCalledExactlyOnceWith(expect.any(Blob), fileName))
    const [call] = callsOf('/api/order/{id}/receipt')
    expect(call?.query).toEqual({ receipt_type: type })
    expect(call?.headers.get('authorization')).toBe('Bearer token')
  })

  it('says why a receipt is not there', async () => {
    answerStatuses('paid')
    refuse('get', '/api/order/{id}/receipt', 409, { message: 'receipt_not_available' })
    const { user } = await renderRoute('/order/order-1/success')
    await user.click(await screen.findByRole('button', { name: 'Квитанція про сплату' }))
    expect(await screen.findByText('Квитанція ще не готова. Спробуйте ще раз за хвилину')).toBeVisible()
    expect(saveFile).not.toHaveBeenCalled()
  })
})

describe('an unpaid order', () => {
  it('says that no money was taken and why', async () => {
    answer('get', '/api/order/{id}', {
      order: order({ status: 'failed', failure: 'payment_insufficient_funds' }),
    })
    await renderRoute('/order/order-1/error')
    expect(await screen.findByText('Кошти не списано')).toBeVisible()
    expect(screen.getByText('На картці недостатньо коштів.')).toBeVisible()
    expect(screen.getByText(tryAgain)).toBeVisible()
  })

  it.each([
    ['declined', order({ status: 'failed' })],
    ['declined, its page still open', order({ status: 'failed', payment_state: 'declined_page_open' })],
    ['never sent', order({ status: 'failed', payment_state: 'not_sent' })],
    ['back in the cart', order({ status: 'expired', failure: 'order_returned_to_cart' })],
    ['cancelled', order({ status: 'expired', failure: 'order_cancelled' })],
    ['refunded', order({ status: 'refunded' })],
  ])('that is %s says what to do next', async (_name, given) => {
    answer('get', '/api/order/{id}', { order: given })
    await renderRoute('/order/order-1/error')
    expect(await screen.findByText(tryAgain)).toBeVisible()
  })

  it('that is expired blames no details, and says that there can be a new link', async () => {
    answer('get', '/api/order/{id}', { order: order({ status: 'expired' }) })
    await renderRoute('/order/order-1/error')
    expect(await screen.findByText('Строк минув – сплатіть за новим посиланням')).toBeVisible()
    expect(screen.queryByText(tryAgain)).not.toBeInTheDocument()
  })

  it('is paid again by a fresh link in a tab that was opened by the click itself', async () => {
    const link = gate()
    const opened = tab()
    const open = vi.spyOn(window, 'open').mockReturnValue(opened as unknown as Window)
    answerStatuses('failed', 'pending')
    answer('get', '/api/order/{id}/update/pay-link', async () => {
      await link.passed
      return { widget_url: 'https://bank.example/fresh' }
    })
    const { user, address } = await renderRoute('/order/order-1/error')
    await user.click(await screen.findByRole('button', { name: 'Повернутися до оплати' }))
    expect(open).toHaveBeenCalledExactlyOnceWith('', '_blank')
    expect(opened.opener).toBeNull()
    link.open()
    await waitFor(() =>
      expect(opened.location.replace).toHaveBeenCalledExactlyOnceWith('https://bank.example/fresh'),
    )
    await waitFor(() => expect(address()).toBe('/order/order-1/pending'))
  })

  it('that is cancelled says nothing of money that may have been paid by QR codes', async () => {
    answer('get', '/api/order/{id}', {
      order: order({
        status: 'expired',
        failure: 'order_cancelled',
        cancelled_at: '2026-11-20T09:12:33Z',
        codes_given_at: '2026-11-20T09:10:00Z',
      }),
    })
    await renderRoute('/order/order-1/error')
    expect(await screen.findByRole('heading', { level: 1, name: 'Замовлення скасовано' })).toBeVisible()
    expect(screen.getByText('Для замовлення видано QR-коди')).toBeVisible()
    expect(screen.getByText(/не сплачуйте цих платежів удруге/u)).toBeVisible()
    expect(screen.queryByText('Кошти не списано')).not.toBeInTheDocument()
    expectNothingToPay()
  })

  it('closes the tab where there is no link', async () => {
    const opened = tab()
    vi.spyOn(window, 'open').mockReturnValue(opened as unknown as Window)
    answerStatuses('failed')
    refuse('get', '/api/order/{id}/update/pay-link', 409, { message: 'order_not_payable' })
    const { user } = await renderRoute('/order/order-1/error')
    await user.click(await screen.findByRole('button', { name: 'Повернутися до оплати' }))
    expect(await screen.findByText('Це замовлення вже не можна оплатити')).toBeVisible()
    expect(opened.close).toHaveBeenCalledOnce()
  })

  it('goes to the bank in this tab where the browser opens no other', async () => {
    vi.spyOn(window, 'open').mockReturnValue(null)
    answerStatuses('expired', 'pending')
    answer('get', '/api/order/{id}/update/pay-link', { widget_url: 'https://bank.example/fresh' })
    const { user } = await renderRoute('/order/order-1/error')
    await user.click(await screen.findByRole('button', { name: 'Повернутися до оплати' }))
    await waitFor(() => expect(leavePage).toHaveBeenCalledExactlyOnceWith('https://bank.example/fresh'))
  })
})

describe('an order whose declined page is still open', () => {
  const declined = order({
    status: 'failed',
    payment_state: 'declined_page_open',
    failure: 'payment_insufficient_funds',
    widget_url: 'https://bank.example/invoice/1',
  })

  it('says so of this try alone, and leads back to the same page', async () => {
    answer('get', '/api/order/{id}', { order: declined })
    await renderRoute('/order/order-1/error')
    expect(await screen.findByText('За цією спробою кошти не списано')).toBeVisible()
    expect(screen.getByText('На картці недостатньо коштів.')).toBeVisible()
    expect(screen.queryByText('Кошти не списано')).not.toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'Повернутися до оплати' })).toHaveAttribute(
      'href',
      'https://bank.example/invoice/1',
    )
    expect(screen.queryByRole('button', { name: 'Повернутися до оплати' })).not.toBeInTheDocument()
  })

  it('asks on while it is looked at, and leads to the success of another card', async () => {
    const timers = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] as const
    vi.useFakeTimers({ shouldAdvanceTime: true, toFake: [...timers] })
    onTestFinished(() => {
      focusManager.setFocused(undefined)
      vi.useRealTimers()
    })
    let paid = false
    answer('get', '/api/order/{id}', () => ({ order: paid ? order({ status: 'paid' }) : declined }))
    const { address } = await renderRoute('/order/order-1/error')
    await screen.findByText('За цією спробою кошти не списано')

    focusManager.setFocused(false)
    const asked = callsOf('/api/order/{id}').length
    await vi.advanceTimersByTimeAsync(30_000)
    expect(callsOf('/api/order/{id}')).toHaveLength(asked)

    focusManager.setFocused(true)
    await vi.advanceTimersByTimeAsync(5000)
    await waitFor(() => expect(callsOf('/api/order/{id}').length).toBeGreaterThan(asked))
    expect(callsOf('/api/order/{id}').at(-1)?.query).toEqual({ update_status: '1' })
    expect(address()).toBe('/order/order-1/error')

    paid = true
    await vi.advanceTimersByTimeAsync(5000)
    await waitFor(() => expect(address()).toBe('/order/order-1/success'))
  })
})

describe('an order that is not as the page knew it', () => {
  it('was never sent to the bank: that is certain, and it can be paid at once', async () => {
    answer('get', '/api/order/{id}', { order: order({ status: 'failed', payment_state: 'not_sent' }) })
    await renderRoute('/order/order-1/error')
    expect(await screen.findByText('Запит до банку не надіслано, кошти не списано')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Повернутися до оплати' })).toBeEnabled()
  })

  it.each(['expired', 'declined', 'not_sent'] as const)(
    'is %s with QR codes out: it is not said to be paid by card again',
    async (payment_state) => {
      const given = order({ status: 'failed', payment_state, codes_given_at: '2026-11-20T09:12:33Z' })
      answer('get', '/api/order/{id}', { order: given })
      await renderRoute('/order/order-1/error')
      expect(await screen.findByText('Для замовлення видано QR-коди')).toBeVisible()
      expect(screen.queryByText(/спробуйте/iu)).toBeNull()
    },
  )

  it('has a state of a newer server: nothing is said of the money, and nothing invites to pay', async () => {
    const newer = { status: 'disputed' as OrderStatus, payment_state: 'disputed' as PaymentState }
    answer('get', '/api/order/{id}', { order: order({ ...newer, items: [orderItem()] }) })
    const { address } = await renderRoute('/order/order-1/payment-status')
    await waitFor(() => expect(address()).toBe('/order/order-1/error'))
    expect(await screen.findByRole('heading', { name: 'Статус оплати невідомий' })).toBeVisible()
    expect(screen.queryByText(/не списано/u)).not.toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Повернутися до оплати' })).not.toBeInTheDocument()
  })

  it('has gone back to the cart: says so, leads there, and offers no payment', async () => {
    const opened = tab()
    vi.spyOn(window, 'open').mockReturnValue(opened as unknown as Window)
    answerStatuses('failed', 'expired')
    refuse('get', '/api/order/{id}/update/pay-link', 409, { message: 'order_returned_to_cart' })
    const { user } = await renderRoute('/order/order-1/error')
    await user.click(await screen.findByRole('button', { name: 'Повернутися до оплати' }))
    expect(await screen.findByRole('link', { name: 'До кошика' })).toHaveAttribute('href', '/cart')
    expect(screen.queryByRole('button', { name: 'Повернутися до оплати' })).not.toBeInTheDocument()
    expect(opened.close).toHaveBeenCalledOnce()
  })

  it('is under review: says whom to ask and not to pay again', async () => {
    vi.spyOn(window, 'open').mockReturnValue(tab() as unknown as Window)
    answerStatuses('failed')
    refuse('get', '/api/order/{id}/update/pay-link', 409, { message: 'order_under_review' })
    const { user } = await renderRoute('/order/order-1/error')
    await user.click(await screen.findByRole('button', { name: 'Повернутися до оплати' }))
    expect(await screen.findByText(/Не сплачуйте вдруге\. Зверніться до служби підтримки/u)).toBeVisible()
    expect(screen.queryByText('Кошти не списано')).not.toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Повернутися до оплати' })).not.toBeInTheDocument()
    const notice = within(screen.getByRole('alert'))
    expect(notice.getByRole('link', { name: 'help@example.ua' })).toBeVisible()
  })
})

const tryAgain = 'Перевірте реквізити та спробуйте ще раз'

const doubt = /^Оплату цього замовлення перевіряють/u

describe('an order under review', () => {
  it.each<[OrderStatus, string]>([
    ['failed', 'error'],
    ['expired', 'error'],
    ['refunded', 'error'],
    ['pending', 'pending'],
    ['in_progress', 'pending'],
  ])('that is %s says whom to ask, and promises and offers nothing', async (status, page) => {
    answer('get', '/api/order/{id}', {
      order: order({
        status,
        payment_state: 'under_review',
        failure: 'payment_declined',
        widget_url: 'https://bank.example/invoice/1',
      }),
    })
    await renderRoute(`/order/order-1/${page}`)
    const heading = page === 'error' ? 'Статус оплати невідомий' : 'Оплата обробляється'
    expect(await screen.findByRole('heading', { name: heading })).toBeVisible()
    expect(screen.getByText(doubt)).toBeVisible()
    expect(screen.queryByText(tryAgain)).not.toBeInTheDocument()
    expect(screen.getByText('Перевіряється')).toBeVisible()
    const notice = within(screen.getByRole('alert'))
    expect(await notice.findByRole('link', { name: 'help@example.ua' })).toBeVisible()
    const shown = within(screen.getByRole('main'))
    expect(shown.queryByText(/не списано|повернено/iu)).not.toBeInTheDocument()
    expect(screen.queryByText('Банк відхилив платіж')).not.toBeInTheDocument()
    expectNothingToPay()
  })

  it('is shown in English too, with its Ukrainian texts marked as such', async () => {
    answer('get', '/api/order/{id}', { order: order({ status: 'failed', payment_state: 'under_review' }) })
    await renderRoute('/order/order-1/error', { locale: 'en' })
    expect(await screen.findByText('Under review')).toBeVisible()
    // In the row and below it.
    for (const text of [/^ГУК/u, /^101 /u]) {
      const [row, whole] = screen.getAllByText(text)
      expect(row).toHaveAttribute('lang', 'uk')
      expect(whole).toHaveAttribute('lang', 'uk')
    }
    // The server gives the name of a service in the language of the interface.
    expect(screen.getByText('Реєстрація права власності')).not.toHaveAttribute('lang')
  })
})

async function refusedWith(key: 'order_under_review' | 'order_returned_to_cart' | 'payment_outcome_unknown') {
  vi.spyOn(window, 'open').mockReturnValue(tab() as unknown as Window)
  answerStatuses('failed')
  refuse('get', '/api/order/{id}/update/pay-link', 409, { message: key })
  const { user } = await renderRoute('/order/order-1/error')
  await user.click(await screen.findByRole('button', { name: 'Повернутися до оплати' }))
}

describe('a refusal to pay', () => {
  it('for an outcome that is not known warns of a second payment and takes its words back', async () => {
    await refusedWith('payment_outcome_unknown')
    expect(await screen.findByText('Не сплачуйте вдруге')).toBeVisible()
    expect(screen.getByText('Платіж обробляється. Не сплачуйте вдруге')).toBeVisible()
    await waitFor(() =>
      expect(screen.getByRole('heading', { name: 'Статус оплати невідомий' })).toHaveFocus(),
    )
    expect(document.title).toBe('Статус оплати невідомий – Notary dashboard')
    expect(screen.queryByText(/не списано/iu)).not.toBeInTheDocument()
    expect(screen.queryByText('Посилання на оплату не отримано')).not.toBeInTheDocument()
    expectNothingToPay()
  })

  it('for a review marks the order', async () => {
    await refusedWith('order_under_review')
    expect(await screen.findByText(doubt)).toBeVisible()
    expect(screen.getByText('Перевіряється')).toBeVisible()
    expect(screen.queryByText('Не сплачено')).not.toBeInTheDocument()
    expectNothingToPay()
  })

  it('for an order that has gone back to the cart says so aloud, and the focus goes on to the cart', async () => {
    await refusedWith('order_returned_to_cart')
    await waitFor(() => expect(screen.getByRole('link', { name: 'До кошика' })).toHaveFocus())
    expect(screen.getByRole('heading', { name: 'Помилка оплати' })).toBeVisible()
    expect(screen.getAllByText('Платежі повернено до кошика')).toHaveLength(2)
    expectNothingToPay()
  })
})

it.each(['declined', 'expired', 'not_sent'] as const)(
  'a charge that left no trace on an order that is %s is not called untaken',
  async (payment_state) => {
    answer('get', '/api/order/{id}', {
      order: order({ status: 'failed', payment_state, failure: 'payment_no_trace' }),
    })
    await renderRoute('/order/order-1/error')
    expect(await screen.findByText('Списання у виписці не знайдено')).toBeVisible()
    expect(screen.getByText(/перевірте рахунок картки$/u)).toBeVisible()
    expect(screen.queryByText(/не списано|Перевірте реквізити/iu)).not.toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Повернутися до оплати' })).toBeEnabled()
  },
)

it.each(['unknown', 'waiting', 'paid'] as const)(
  'a failed order whose money is %s is offered for no payment',
  async (payment_state) => {
    answer('get', '/api/order/{id}', { order: order({ status: 'failed', payment_state }) })
    await renderRoute('/order/order-1/error')
    expect(await screen.findByRole('heading', { name: 'Статус оплати невідомий' })).toBeVisible()
    expectNothingToPay()
  },
)

describe('a pending order', () => {
  it('asks again by itself and leads to the result', async () => {
    vi.useFakeTimers({
      shouldAdvanceTime: true,
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
    })
    answerStatuses('pending', 'pending', 'paid')
    const { address } = await renderRoute('/order/order-1/pending')
    expect(await screen.findByText('Не сплачуйте вдруге')).toBeVisible()
    await vi.advanceTimersByTimeAsync(15_000)
    await waitFor(() => expect(address()).toBe('/order/order-1/success'))
    vi.useRealTimers()
  })

  it('whose page nobody has paid at yet waits for its payer and does not warn of a second payment', async () => {
    answer('get', '/api/order/{id}', {
      order: order({ status: 'pending', widget_url: 'https://bank.example/invoice/1' }),
    })
    await renderRoute('/order/order-1/pending')
    expect(await screen.findByRole('heading', { name: 'Оплата обробляється' })).toBeVisible()
    expect(screen.getByText('Сторінка оплати відкрита')).toBeVisible()
    expect(screen.getByText('Очікує оплати')).toBeVisible()
    expect(screen.queryByText('Не сплачуйте вдруге')).not.toBeInTheDocument()
  })

  it.each<[OrderStatus, PaymentState]>([
    ['in_progress', 'unknown'],
    ['pending', 'waiting'],
  ])('that is %s with nothing to open is in the bank’s hands', async (status, payment_state) => {
    answer('get', '/api/order/{id}', { order: order({ status, payment_state }) })
    await renderRoute('/order/order-1/pending')
    expect(await screen.findByRole('heading', { name: 'Оплата обробляється' })).toBeVisible()
    expect(screen.getByText('Не сплачуйте вдруге')).toBeVisible()
    expect(screen.getByText('Обробляється')).toBeVisible()
  })

  it('offers the way back to the same bank’s page, but to nothing else', async () => {
    answer('get', '/api/order/{id}', {
      order: order({ status: 'pending', widget_url: 'https://bank.example/invoice/1' }),
    })
    await renderRoute('/order/order-1/pending')
    expect(await screen.findByRole('link', { name: 'поверніться до неї' })).toHaveAttribute(
      'href',
      'https://bank.example/invoice/1',
    )
    expect(screen.queryByRole('button', { name: /Сплатити/u })).not.toBeInTheDocument()
  })
})
