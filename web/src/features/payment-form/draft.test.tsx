import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { Session, session } from '@/api/session'
import { forgetDraft } from '@/forms/draft'
import { keepArrivingClient } from '@/lib/arriving-client'
import { leavePage } from '@/lib/leave-page'
import { renderRoute } from '@/testing/render-route'
import { cart, koval, olena } from '@/testing/samples'
import { answer, callsOf, lose, refuse, startServer } from '@/testing/server'

import { paymentDraft, replacedDraft } from './draft'

vi.mock('@/lib/leave-page', () => ({ leavePage: vi.fn<(address: string) => void>() }))

startServer()

const others: Session[] = []

beforeEach(() => {
  session.close()
  sessionStorage.clear()
  answer('get', '/api/payment-types', {
    payment_types: [{ id: 'requisites', slug: 'requisites_payment' }],
  })
  answer('get', '/api/payment-types/requisites/templates', { requisites_templates: [], payment_codes: [] })
  answer('get', '/api/cart/client/last', { client: null })
  answer('post', '/api/book/clients/search', { clients: [], next: null })
  answer('get', '/api/book/recipients', { recipients: [] })
  answer('get', '/api/payment-types/last-choices', {
    payment_type_option_term_id: null,
    payment_type_region_id: null,
    payment_type_requisite_id: null,
  })
  answer('get', '/api/cart', cart())
})
afterEach(() => {
  for (const other of others.splice(0)) other.dispose()
  cleanup()
})

/** The session of another tab. */
function otherTab(): Session {
  const other = new Session()
  others.push(other)
  return other
}

const nameField = () => screen.findByLabelText('Прізвище, ім’я, по батькові клієнта')
const purposeField = () => screen.getByLabelText('Призначення платежу')

type User = Awaited<ReturnType<typeof renderRoute>>['user']

/** Pastes the text, which is faster than typing. */
async function fill(user: User, field: HTMLElement, text: string) {
  await user.click(field)
  await user.paste(text)
}

async function typeSomething() {
  const page = await renderRoute('/')
  await fill(page.user, await nameField(), koval.full_name)
  await fill(page.user, screen.getByLabelText('Код клієнта'), koval.inn)
  await fill(page.user, await screen.findByLabelText('Призначення платежу'), 'Мито')
  return page
}

async function typeTheRest(user: User) {
  await fill(user, screen.getByLabelText('Назва отримувача'), 'ТОВ «Приклад»')
  await fill(user, screen.getByLabelText(/^Код отримувача/u), '37993783')
  await fill(user, screen.getByLabelText(/^Рахунок IBAN/u), olena.iban)
  await fill(user, purposeField(), ` ${koval.inn}`)
  await fill(user, screen.getByLabelText('Сума'), '10')
}

/** Simulates a reload: only the storage of the tab is kept. */
async function reload(notary = olena) {
  const kept = { ...sessionStorage }
  cleanup()
  forgetDraft(paymentDraft)
  forgetDraft(replacedDraft)
  for (const [key, value] of Object.entries(kept)) sessionStorage.setItem(key, String(value))
  return renderRoute('/', { notary })
}

/** The stored text of a draft with these values. */
const kept = (values: unknown, intent: unknown = null) =>
  JSON.stringify({ notaryId: olena.id, typed: { values, wish: intent } })

/** The last undo on the page; there may be earlier ones. */
function latestUndo(): HTMLElement {
  const last = screen.getAllByRole('button', { name: 'Повернути' }).at(-1)
  if (last === undefined) throw new Error('nothing to undo')
  return last
}

/** Whether the browser would ask before it leaves the page. */
const asksBeforeLeaving = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))

describe('a payment that is being typed', () => {
  it('outlasts a reload, which asks nothing', async () => {
    await typeSomething()
    expect(asksBeforeLeaving()).toBe(false)
    await reload()
    expect(await nameField()).toHaveValue(koval.full_name)
    expect(screen.getByLabelText('Код клієнта')).toHaveValue(koval.inn)
    expect(purposeField()).toHaveValue('Мито')
  })

  it('is all that is kept in the tab', async () => {
    await typeSomething()
    expect(Object.keys({ ...sessionStorage })).toEqual(['cabinet.draft'])
    expect(JSON.stringify({ ...localStorage })).not.toContain(koval.inn)
  })

  it('leaves nothing behind when it is emptied', async () => {
    const { user } = await typeSomething()
    await user.click(screen.getByRole('button', { name: 'Очистити форму' }))
    expect(screen.getByLabelText('Код клієнта')).toHaveFocus()
    expect(sessionStorage).toHaveLength(0)
    await reload()
    expect(await nameField()).toHaveValue('')
  })

  it('that was cleared comes back by the undo, also after its page was left', async () => {
    const { user, go, address } = await typeSomething()
    await user.click(screen.getByRole('button', { name: 'Очистити форму' }))
    await go('/cart')
    await screen.findByText('Кошик порожній')
    await user.click(latestUndo())
    await waitFor(() => expect(address()).toBe('/'))
    expect(await nameField()).toHaveValue(koval.full_name)
    expect(screen.getByLabelText('Код клієнта')).toHaveValue(koval.inn)
    expect(purposeField()).toHaveValue('Мито')
  })

  it('that was cleared comes back into the form that has been opened since', async () => {
    const { user, go } = await typeSomething()
    await user.click(screen.getByRole('button', { name: 'Очистити форму' }))
    await go('/cart')
    await screen.findByText('Кошик порожній')
    await go('/')
    expect(await nameField()).toHaveValue('')
    await user.click(latestUndo())
    expect(await nameField()).toHaveValue(koval.full_name)
  })

  it('that was cleared does not come back for whoever signs in after its notary', async () => {
    const { user } = await typeSomething()
    await user.click(screen.getByRole('button', { name: 'Очистити форму' }))
    act(() => session.close())
    act(() => session.open({ access_token: 'another', expires_in: 900, notary_id: 'a-notary' }))
    await user.click(latestUndo())
    expect(sessionStorage).toHaveLength(0)
  })

  it('leaves nothing behind when it is in the cart', async () => {
    answer('post', '/api/cart/add', { items_count: 1, item_id: 'item-1', mended_full_name: null })
    const { user } = await typeSomething()
    await typeTheRest(user)
    await user.click(screen.getByRole('button', { name: 'Додати до кошика' }))
    await screen.findByText('Платіж додано до кошика')
    expect(sessionStorage).toHaveLength(0)
  })

  it('and was asked for without an answer is the same one after a reload: it is added once', async () => {
    answer('post', '/api/cart/add', { items_count: 1, item_id: 'item-1', mended_full_name: null })
    lose('post', '/api/cart/add', 1)
    const { user } = await typeSomething()
    await typeTheRest(user)
    await user.click(screen.getByRole('button', { name: 'Додати до кошика' }))
    await screen.findByText('Сервер не підтвердив додавання')

    const { user: again } = await reload()
    expect(await nameField()).toHaveValue(koval.full_name)
    // The page says it again, and no longer once the payment is another one.
    expect(screen.getByText('Сервер не підтвердив додавання')).toBeVisible()
    await again.type(await nameField(), 'а')
    expect(screen.queryByText('Сервер не підтвердив додавання')).toBeNull()
    await again.type(await nameField(), '{Backspace}')
    expect(screen.getByText('Сервер не підтвердив додавання')).toBeVisible()
    await again.click(screen.getByRole('button', { name: 'Додати до кошика' }))
    await screen.findByText('Платіж додано до кошика')
    const [lost, repeated] = callsOf('/api/cart/add')
    expect(repeated?.body).toEqual(lost?.body)
    expect(repeated?.headers.get('idempotency-key')).toBe(lost?.headers.get('idempotency-key'))
    expect(screen.queryByText('Сервер не підтвердив додавання')).toBeNull()
    expect(sessionStorage).toHaveLength(0)
  })

  it('and was refused is not said to be unanswered after a reload', async () => {
    refuse('post', '/api/cart/add', 409, { message: 'cart_full' }, { once: true })
    const { user } = await typeSomething()
    await typeTheRest(user)
    await user.click(screen.getByRole('button', { name: 'Додати до кошика' }))
    await waitFor(() => expect(callsOf('/api/cart/add')).toHaveLength(1))
    await screen.findByRole('alert')

    await reload()
    expect(await nameField()).toHaveValue(koval.full_name)
    expect(screen.queryByText('Сервер не підтвердив додавання')).toBeNull()
  })
})

const melnyk = { inn: '3184710691', full_name: 'Мельник Іван' }
const bondar = { inn: '2456987123', full_name: 'Бондар Ірина' }

/** Opens the form for another client while a payment is being typed. */
async function typeAndArrive() {
  const page = await typeSomething()
  act(() => keepArrivingClient(melnyk))
  await screen.findByText('Раніше введені дані замінено')
  return page
}

/** The button of the notice. */
const giveBack = () => screen.findByRole('button', { name: 'Повернути введене' })

describe('a payment that is replaced by one for another client', () => {
  it('waits above the form, also after a reload, and comes back once', async () => {
    await typeAndArrive()
    const { user } = await reload()
    expect(await nameField()).toHaveValue(melnyk.full_name)
    expect(await screen.findByText('Раніше введені дані замінено')).toBeVisible()
    await user.click(await giveBack())
    expect(await nameField()).toHaveValue(koval.full_name)
    expect(purposeField()).toHaveValue('Мито')
    expect(screen.queryByText('Раніше введені дані замінено')).toBeNull()
    expect(Object.keys({ ...sessionStorage })).toEqual(['cabinet.draft'])
    await waitFor(() => expect(screen.getByRole('heading', { level: 1 })).toHaveFocus())
  })

  it('is given up on demand', async () => {
    const { user } = await typeAndArrive()
    await user.click(screen.getByRole('button', { name: 'Не повертати' }))
    expect(screen.queryByText('Раніше введені дані замінено')).toBeNull()
    expect(await nameField()).toHaveValue(melnyk.full_name)
    expect(Object.keys({ ...sessionStorage })).toEqual(['cabinet.draft'])
  })

  it('waits also when the next payment is in the cart', async () => {
    answer('post', '/api/cart/add', { items_count: 1, item_id: 'item-1', mended_full_name: null })
    const { user } = await typeAndArrive()
    await typeTheRest(user)
    await fill(user, purposeField(), ` ${melnyk.inn}`)
    await user.click(screen.getByRole('button', { name: 'Додати до кошика' }))
    await screen.findByText('Платіж додано до кошика')
    await user.click(await giveBack())
    expect(await nameField()).toHaveValue(koval.full_name)
    expect(screen.queryByText('Раніше введені дані замінено')).toBeNull()
  })

  it('changes places with what was typed since', async () => {
    const { user } = await typeAndArrive()
    await fill(user, purposeField(), 'Судовий збір')
    await user.click(await giveBack())
    expect(purposeField()).toHaveValue('Мито')
    await user.click(await giveBack())
    expect(await nameField()).toHaveValue(melnyk.full_name)
    expect(purposeField()).toHaveValue('Судовий збір')
  })

  it('changes places also after a reload', async () => {
    const { user: first } = await typeAndArrive()
    await fill(first, purposeField(), 'Судовий збір')
    const { user } = await reload()
    await user.click(await giveBack())
    expect(purposeField()).toHaveValue('Мито')
    await user.click(await giveBack())
    expect(await nameField()).toHaveValue(melnyk.full_name)
    expect(purposeField()).toHaveValue('Судовий збір')
  })

  it('takes no unanswered press with it', async () => {
    lose('post', '/api/cart/add', 1)
    const { user } = await typeSomething()
    await typeTheRest(user)
    await user.click(screen.getByRole('button', { name: 'Додати до кошика' }))
    await screen.findByText('Сервер не підтвердив додавання')
    act(() => keepArrivingClient(melnyk))
    await screen.findByText('Раніше введені дані замінено')
    expect(screen.queryByText('Сервер не підтвердив додавання')).toBeNull()
    await reload()
    expect(await nameField()).toHaveValue(melnyk.full_name)
    expect(screen.queryByText('Сервер не підтвердив додавання')).toBeNull()
  })

  it('takes the place of a form that was cleared', async () => {
    const { user } = await typeAndArrive()
    await user.click(screen.getByRole('button', { name: 'Очистити форму' }))
    await user.click(await giveBack())
    expect(await nameField()).toHaveValue(koval.full_name)
    expect(screen.queryByText('Раніше введені дані замінено')).toBeNull()
  })

  it('of a kind that is offered no more comes back with its client and asks for the rest', async () => {
    await typeAndArrive()
    const text = sessionStorage.getItem('cabinet.draft replaced') ?? ''
    sessionStorage.setItem('cabinet.draft replaced', text.replace('"requisites"', '"gone"'))
    const { user } = await reload()
    await user.click(await giveBack())
    expect(await nameField()).toHaveValue(koval.full_name)
    expect(screen.getByRole('radio', { name: 'Платіж за реквізитами' })).toBeChecked()
  })

  it('is not pushed out by a third one', async () => {
    const { user } = await typeAndArrive()
    await fill(user, purposeField(), 'Судовий збір')
    act(() => keepArrivingClient(bondar))
    await waitFor(async () => expect(await nameField()).toHaveValue(bondar.full_name))
    await user.click(await giveBack())
    expect(purposeField()).toHaveValue('Судовий збір')
    await user.click(await giveBack())
    expect(purposeField()).toHaveValue('Мито')
  })

  it('is the only one where the other client was a mistake', async () => {
    const { user } = await typeAndArrive()
    act(() => keepArrivingClient(bondar))
    await waitFor(async () => expect(await nameField()).toHaveValue(bondar.full_name))
    await user.click(await giveBack())
    expect(await nameField()).toHaveValue(koval.full_name)
    expect(screen.queryByText('Раніше введені дані замінено')).toBeNull()
  })

  it('is forgotten when the notary leaves', async () => {
    await typeAndArrive()
    expect(sessionStorage).toHaveLength(2)
    session.close()
    expect(sessionStorage).toHaveLength(0)
    await screen.findByLabelText('Номер телефону')
    cleanup()
    await renderRoute('/')
    await nameField()
    expect(screen.queryByText('Раніше введені дані замінено')).toBeNull()
  })

  it.each([
    ['is cut off', '[{'],
    ['is no list', '7'],
    ['lacks a field', '[{"clientName":"Коваль"}]'],
  ])('and whose kept text %s is thrown away', async (_what, text) => {
    sessionStorage.setItem('cabinet.draft replaced', `{"notaryId":"${olena.id}","typed":${text}}`)
    await renderRoute('/')
    expect(await nameField()).toHaveValue('')
    await waitFor(() => expect(sessionStorage).toHaveLength(0))
  })
})

describe('when the notary leaves', () => {
  it('here, the tab forgets at once, whatever is typed until the page goes', async () => {
    const { user } = await typeSomething()
    session.close()
    await user.type(await nameField(), 'ще')
    expect(sessionStorage).toHaveLength(0)
    await screen.findByLabelText('Номер телефону')
    cleanup()
    await renderRoute('/')
    expect(await nameField()).toHaveValue('')
  })

  it('in another tab, this one forgets, too', async () => {
    await typeSomething()
    otherTab().close()
    await waitFor(() => expect(sessionStorage).toHaveLength(0))
  })

  it('while this tab is asleep, it forgets when it wakes', async () => {
    await typeSomething()
    localStorage.removeItem('cabinet.signed-in')
    otherTab()
    expect(sessionStorage).toHaveLength(0)
  })
})

describe('a session that has ended by itself', () => {
  it('keeps what was typed, over a reload of the login, for the same notary', async () => {
    await typeSomething()
    session.expire()
    await screen.findByLabelText('Номер телефону')
    // As at the start of a page that was reloaded on the login.
    otherTab().dispose()
    await reload()
    expect(await nameField()).toHaveValue(koval.full_name)
  })

  it('keeps nothing for another notary, whatever page is opened', async () => {
    await typeSomething()
    session.expire()
    cleanup()
    await renderRoute('/me', { notary: { ...olena, id: 'notary-other' } })
    await screen.findByRole('heading', { level: 1, name: 'Картка нотаріуса' })
    expect(sessionStorage).toHaveLength(0)
  })
})

it('a draft is gone when another notary signs in in another tab, and her form opens empty', async () => {
  await typeSomething()
  const other = { ...olena, id: 'notary-other', full_name: 'Бондар Ірина' }
  answer('post', '/api/auth/me', other)
  answer('post', '/api/auth/refresh', {
    access_token: 'of the other one',
    refresh_token: 'cookie',
    expires_in: 900,
    notary_id: 'a-notary',
    session_expires_at: new Date(Date.now() + 3_600_000).toISOString(),
  })
  otherTab().open({ access_token: 'token', expires_in: 900, notary_id: 'a-notary' })
  await waitFor(() => expect(leavePage).toHaveBeenCalledWith('/'))
  expect(document.body).not.toHaveTextContent(olena.full_name)
  expect(screen.queryByLabelText('Призначення платежу')).toBeNull()
  await reload(other)
  expect(await nameField()).toHaveValue('')
  expect(sessionStorage).toHaveLength(0)
})

describe('a draft', () => {
  const whole = {
    clientName: 'Коваль',
    clientCode: '',
    legalEntity: false,
    paymentTypeId: 'requisites',
    optionId: '',
    termId: '',
    regionId: '',
    requisiteId: '',
    ownIban: '',
    ownOkpo: '',
    templateId: '',
    recipientName: '',
    iban: '',
    okpo: '',
    budgetCode: '',
    purpose: '',
    amount: '',
  }
  const { purpose: _missing, ...older } = whole

  it('that is whole fills the form', async () => {
    sessionStorage.setItem('cabinet.draft', kept(whole))
    await renderRoute('/')
    expect(await nameField()).toHaveValue('Коваль')
  })

  it('of a kind of payment that is offered no more keeps its client and asks for the rest', async () => {
    sessionStorage.setItem('cabinet.draft', kept({ ...whole, paymentTypeId: 'gone', optionId: 'gone' }))
    const { user } = await renderRoute('/')
    expect(await nameField()).toHaveValue('Коваль')
    expect(screen.getByRole('radio', { name: 'Платіж за реквізитами' })).toBeChecked()
    await user.click(screen.getByRole('button', { name: 'Додати до кошика' }))
    expect(screen.getByLabelText('Назва отримувача')).toBeInvalid()
  })

  it.each([
    ['is cut off', kept(whole).slice(0, -9)],
    ['is no draft', '7'],
    ['holds nothing', kept(null)],
    ['lacks a field', kept(older)],
    ['has a number for a text', kept({ ...whole, purpose: 101 })],
    ['has an unknown intent', kept(whole, 'intent')],
    ['has an intent without a key', kept(whole, { content: '{}' })],
    ['is of an older form', JSON.stringify({ notaryId: olena.id, typed: whole })],
    ['has a text for the switch', kept({ ...whole, legalEntity: 'yes' })],
  ])('that %s is thrown away', async (_what, text) => {
    sessionStorage.setItem('cabinet.draft', text)
    await renderRoute('/')
    expect(await nameField()).toHaveValue('')
    expect(sessionStorage).toHaveLength(0)
  })
})

describe('where the browser keeps nothing', () => {
  beforeEach(() => {
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
  })

  it('the payment outlasts a visit to the cart, and a reload asks first', async () => {
    const { user, go } = await typeSomething()
    expect(asksBeforeLeaving()).toBe(true)
    await go('/cart')
    await screen.findByRole('heading', { name: 'Кошик' })
    expect(asksBeforeLeaving()).toBe(false)
    await go('/')
    expect(await nameField()).toHaveValue(koval.full_name)
    await user.click(screen.getByRole('button', { name: 'Очистити форму' }))
    expect(asksBeforeLeaving()).toBe(false)
  })

  it('nothing is left when the notary leaves', async () => {
    await typeSomething()
    session.close()
    await screen.findByLabelText('Номер телефону')
    cleanup()
    await renderRoute('/')
    expect(await nameField()).toHaveValue('')
  })
})

it('a browser whose storage is closed opens the form all the same', async () => {
  vi.spyOn(window, 'sessionStorage', 'get').mockImplementation(() => {
    throw new DOMException('closed', 'SecurityError')
  })
  const { go } = await typeSomething()
  await go('/cart')
  await screen.findByRole('heading', { name: 'Кошик' })
  await go('/')
  expect(await nameField()).toHaveValue(koval.full_name)
})
