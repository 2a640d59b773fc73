import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { session } from '@/api/session'
import { i18n, switchLocale } from '@/i18n/i18n'
import { keepInTab } from '@/lib/tab-storage'
import { renderRoute } from '@/testing/render-route'
import { cart, config, olena } from '@/testing/samples'
import { answer, callsOf, lose, refuse, startServer, tellReadiness } from '@/testing/server'
import { catalogs } from './catalogs'

startServer()

afterEach(async () => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  session.close()
  await switchLocale('uk')
})

const heading = (name: string) => screen.findByRole('heading', { level: 1, name })

test('the shell says who is signed in and how much is in the cart', async () => {
  const page = renderRoute('/me')
  answer('get', '/api/cart/items/count', { items_count: 22 })
  await page
  await heading('Картка нотаріуса')
  const side = screen.getByRole('complementary')
  expect(within(side).getByText(olena.full_name)).toBeVisible()
  expect(within(side).getByText('ID: NOTAR12345')).toBeVisible()
  expect(within(side).getByRole('link', { name: `Картка нотаріуса: ${olena.full_name}` })).toHaveAttribute(
    'href',
    '/me',
  )
  expect(await screen.findByRole('link', { name: 'Кошик: 22 платежі' })).toHaveAttribute('href', '/cart')
})

test('the footer has the terms, leads to the public offer and to the support, and shows the ways of paying', async () => {
  await renderRoute('/me')
  await heading('Картка нотаріуса')
  const footer = within(screen.getByRole('contentinfo'))
  expect(footer.getByText(/Здійснюючи оплату, ви погоджуєтеся з умовами публічної оферти\./u)).toBeVisible()
  const offer = await footer.findByRole('link', { name: 'Публічна оферта' })
  expect(offer).toHaveAttribute('href', config.offer_url)
  expect(offer).toHaveAttribute('target', '_blank')
  expect(footer.getByRole('link', { name: config.support.email })).toHaveAttribute(
    'href',
    `mailto:${config.support.email}`,
  )
  expect(footer.getByRole('link', { name: config.support.phone })).toHaveAttribute(
    'href',
    'tel:+380440000000',
  )
  const ways = within(footer.getByRole('list', { name: 'Способи оплати' })).getAllByRole('img')
  expect(ways.map((way) => way.getAttribute('aria-label'))).toEqual(['Visa', 'Mastercard', 'ПРОСТІР'])
})

test('the footer is on the pages of a guest, in the chosen language', async () => {
  await renderRoute('/me', { locale: 'en' })
  session.close()
  await heading('Log in')
  const footer = within(screen.getByRole('contentinfo'))
  expect(await footer.findByRole('link', { name: 'Public offer' })).toHaveAttribute('href', config.offer_url)
  expect(footer.getAllByRole('img')).toHaveLength(3)
})

test('after a change of the address the title and the focus are those of the new page', async () => {
  answer('get', '/api/tokenization/cards', { cards: { url: 'https://cards.example/frame' } })
  const { user } = await renderRoute('/me')
  await heading('Картка нотаріуса')
  await waitFor(() => expect(document.title).toBe('Картка нотаріуса – Notary dashboard'))
  await user.click(screen.getByRole('link', { name: 'Мої картки' }))
  const arrived = await heading('Мої картки')
  await waitFor(() => expect(arrived).toHaveFocus())
  expect(document.title).toBe('Мої картки – Notary dashboard')
})

test('a switch of the language turns the whole page, its title and its lang, and is kept', async () => {
  const { user } = await renderRoute('/me')
  await heading('Картка нотаріуса')
  await user.click(screen.getByRole('button', { name: /^Eng/u }))
  await heading('Notary card')
  expect(screen.getByRole('button', { name: /^Eng/u })).toHaveAttribute('aria-pressed', 'true')
  expect(document.documentElement.lang).toBe('en')
  await waitFor(() => expect(document.title).toBe('Notary card – Notary dashboard'))
  expect(localStorage.getItem('cabinet.locale')).toBe('en')
  expect(i18n.locale).toBe('en')
})

test('leaving ends the session on the server and leads to the login', async () => {
  answer('post', '/api/auth/logout', { success: true })
  const { user, address } = await renderRoute('/me')
  await heading('Картка нотаріуса')
  await user.click(screen.getByRole('button', { name: 'Вийти' }))
  await heading('Вхід до кабінету')
  expect(address()).toBe('/login')
  expect(callsOf('/api/auth/logout')).toHaveLength(1)
  expect(session.state.status).toBe('guest')
  expect(screen.queryByText('Сеанс завершився')).toBeNull()
})

test('leaving asks before it deletes what was typed, on another page, too', async () => {
  answer('post', '/api/auth/logout', { success: true })
  const { user, go } = await renderRoute('/me')
  await heading('Картка нотаріуса')
  await user.type(screen.getByLabelText('Номер свідоцтва'), '9')
  const leave = screen.getByRole('button', { name: 'Вийти' })
  await user.click(leave)
  const question = within(await screen.findByRole('dialog', { name: 'Вийти без збереження?' }))
  await user.click(question.getByRole('button', { name: 'Не виходити' }))
  expect(leave).toHaveFocus()
  expect(leave).not.toHaveAttribute('aria-busy')
  expect(screen.getByLabelText('Номер свідоцтва')).toHaveValue(`${olena.certificate_number}9`)
  await user.type(screen.getByLabelText('Номер свідоцтва'), '{Backspace}')

  keepInTab('draft deal', olena.id, {})
  answer('get', '/api/cart', cart())
  await act(() => go('/cart'))
  await heading('Кошик')
  await user.click(screen.getByRole('button', { name: 'Меню' }))
  await user.click(
    within(await screen.findByRole('dialog', { name: 'Меню' })).getByRole('button', { name: 'Вийти' }),
  )
  const leaving = await screen.findByRole('button', { name: 'Вийти без збереження' })
  expect(callsOf('/api/auth/logout')).toHaveLength(0)
  await user.click(leaving)
  await heading('Вхід до кабінету')
  expect(callsOf('/api/auth/logout')).toHaveLength(1)
  expect(sessionStorage).toHaveLength(0)
})

test('a failed logout is shown, and the notary stays signed in', async () => {
  lose('post', '/api/auth/logout', 1)
  const { user } = await renderRoute('/me')
  await heading('Картка нотаріуса')
  await user.click(screen.getByRole('button', { name: 'Вийти' }))
  expect(await screen.findByText(/Немає зв’язку із сервером/u)).toBeVisible()
  expect(session.state.status).toBe('signed-in')
})

test('a failure in the menu is shown in the menu, which covers the rest of the page', async () => {
  lose('post', '/api/auth/logout', 1)
  const { user } = await renderRoute('/me')
  await heading('Картка нотаріуса')
  await user.click(screen.getByRole('button', { name: 'Меню' }))
  const menu = within(await screen.findByRole('dialog', { name: 'Меню' }))
  await user.click(menu.getByRole('button', { name: 'Вийти' }))
  expect(await menu.findByRole('alert')).toHaveTextContent(/Немає зв’язку із сервером/u)
})

test('the languages stand in the header, and a switch that fails says so', async () => {
  const { user } = await renderRoute('/me')
  await heading('Картка нотаріуса')
  vi.spyOn(catalogs.shell, 'en').mockRejectedValueOnce(new Error('no connection'))
  const header = within(screen.getByRole('banner'))
  await user.click(header.getByRole('button', { name: /^Eng/u }))
  expect(await screen.findByText(/Немає зв’язку із сервером/u)).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Меню' }))
  const menu = within(await screen.findByRole('dialog', { name: 'Меню' }))
  expect(menu.queryByRole('button', { name: /^Eng/u })).toBeNull()
})

test('a logout after the session has ended succeeds, and deletes what was typed', async () => {
  refuse('post', '/api/auth/logout', 401, { message: 'unauthorized' })
  refuse('post', '/api/auth/refresh', 401, { message: 'session_expired' })
  const { user } = await renderRoute('/me')
  await heading('Картка нотаріуса')
  await user.type(screen.getByLabelText('Номер свідоцтва'), '9')
  await user.click(screen.getByRole('button', { name: 'Вийти' }))
  await user.click(await screen.findByRole('button', { name: 'Вийти без збереження' }))
  await heading('Вхід до кабінету')
  await waitFor(() => expect(screen.queryByText('Сеанс завершився')).toBeNull())
  expect(localStorage.getItem('cabinet.signed-in')).toBeNull()
  expect(session.hasExpired).toBe(false)
})

test('a session that has ended leads to the login, which says why and remembers the page', async () => {
  refuse('post', '/api/auth/refresh', 401, { message: 'session_expired' })
  refuse('post', '/api/me', 401, { message: 'unauthorized' })
  const { user, address } = await renderRoute('/me')
  await heading('Картка нотаріуса')
  await user.type(screen.getByLabelText('Номер свідоцтва'), '9')
  await user.click(screen.getByRole('button', { name: 'Зберегти' }))
  await heading('Вхід до кабінету')
  expect(screen.getByText('Сеанс завершився')).toBeVisible()

  session.open({ access_token: 'again', expires_in: 900, notary_id: 'a-notary' })
  await heading('Картка нотаріуса')
  expect(address()).toBe('/me')
  expect(screen.getByLabelText('Номер свідоцтва')).toHaveValue(`${olena.certificate_number}9`)
})

test('a step that is taken just as the session ends leads to the login, which says why', async () => {
  const { go, address } = await renderRoute('/me')
  await heading('Картка нотаріуса')
  act(() => session.expire())
  await go('/archive')
  await heading('Вхід до кабінету')
  expect(address()).toBe('/login')
  expect(screen.getByText('Сеанс завершився')).toBeVisible()
})

test.each([
  '/login',
  '/login/otp',
  '/login/otp/custom',
  '/login/phone-call',
  '/sign-up',
  // Open to everybody, but useless after signing in.
  '/sign-up/otp',
])('%s leads a signed-in notary to the payments', async (path) => {
  answer('get', '/api/payment-types', { payment_types: [] })
  answer('get', '/api/cart/client/last', { client: null })
  const { address } = await renderRoute(path)
  await heading('Новий платіж')
  expect(address()).toBe('/')
})

test('an address that leads nowhere says so and leads on', async () => {
  await renderRoute('/nowhere')
  await heading('Такої сторінки немає')
  expect(screen.getByRole('link', { name: 'До архіву' })).toHaveAttribute('href', '/archive')
})

test('a page that cannot be loaded says what happened, names the request, and can be tried again', async () => {
  const page = renderRoute('/me')
  refuse('post', '/api/auth/me', 500, { message: 'internal_error', request_id: 'request-7' })
  const { user } = await page
  await heading('Сторінку не вдалося відкрити')
  expect(screen.getByText('request-7')).toBeVisible()
  answer('post', '/api/auth/me', olena)
  await user.click(screen.getByRole('button', { name: 'Спробувати ще раз' }))
  await heading('Картка нотаріуса')
})

test.each([503, 502])(
  'a page that could not be opened because the server was away (%s) opens by itself once it is back',
  async (status) => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const page = renderRoute('/me')
    refuse('post', '/api/auth/me', status, { message: 'service_unavailable' })
    tellReadiness(false)
    await page
    await heading('Сторінку не вдалося відкрити')
    await act(() => vi.advanceTimersByTimeAsync(6_000))
    await heading('Сторінку не вдалося відкрити')
    answer('post', '/api/auth/me', olena)
    tellReadiness(true)
    await act(() => vi.advanceTimersByTimeAsync(3_000))
    expect(await heading('Картка нотаріуса')).toBeVisible()
  },
)

test('a session whose account is gone leads to the login', async () => {
  const page = renderRoute('/me')
  refuse('post', '/api/auth/me', 404, { message: 'user_not_found' })
  const { address } = await page
  await heading('Вхід до кабінету')
  expect(address()).toBe('/login')
  expect(screen.getByText('Сеанс завершився')).toBeVisible()
  expect(session.accessToken).toBeNull()
})

test('an offline browser says so', async () => {
  const resized: (() => void)[] = []
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(tell: () => void) {
        resized.push(tell)
      }
      observe() {}
      disconnect() {}
    },
  )
  await renderRoute('/me')
  await heading('Картка нотаріуса')
  Object.defineProperty(navigator, 'onLine', { configurable: true, value: false })
  window.dispatchEvent(new Event('offline'))
  const banner = await screen.findByText(/Немає зв’язку з інтернетом/u)
  expect(banner).toBeVisible()

  // With the header and the other notice it is one box: none of them covers another, and what they cover is known.
  session.open({
    access_token: 'token',
    expires_in: 900,
    notary_id: 'a-notary',
    session_expires_at: new Date(Date.now() + 120_000).toISOString(),
  })
  const warning = await screen.findByText(/Сеанс завершиться за/u)
  const box = document.querySelector('.frame-top')
  for (const part of [banner, warning, screen.getByRole('banner')]) expect(box).toContainElement(part)
  const notices = document.querySelector('.frame-notices')
  for (const part of [banner, warning]) expect(notices).toContainElement(part)
  expect(notices).not.toContainElement(screen.getByRole('banner'))
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(106)
  // What measures the notices is loaded after the page.
  await waitFor(() => {
    resized.forEach((tell) => tell())
    expect(document.documentElement.style.getPropertyValue('--notices')).toBe('106px')
  })

  act(() => session.close())
  await heading('Вхід до кабінету')
  expect(screen.getByText(/Немає зв’язку з інтернетом/u)).toBeVisible()
  Object.defineProperty(navigator, 'onLine', { configurable: true, value: true })
  window.dispatchEvent(new Event('online'))
  await waitFor(() => expect(screen.queryByText(/Немає зв’язку з інтернетом/u)).toBeNull())
})
