import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Cart } from '@/api/cart'
import { session } from '@/api/session'
import { switchLocale } from '@/i18n/i18n'
import { reloadPage } from '@/lib/leave-page'
import { reloadForNewParts } from '@/lib/reload-for-new-parts'
import { renderRoute } from '@/testing/render-route'
import { cart } from '@/testing/samples'
import { answer, lose, startServer } from '@/testing/server'

const jargon = 'Cannot read properties of undefined'

vi.mock('@/lib/leave-page', () => ({ reloadPage: vi.fn<() => void>() }))
vi.mock('@/lib/reload-for-new-parts', () => ({
  reloadForNewParts: vi.fn<() => Promise<void>>(() => Promise.resolve()),
}))
vi.mock('@/features/profile/profile-page', () => ({
  default: () => null,
  loader: () => Promise.reject(new TypeError(jargon)),
}))
vi.mock('@/features/cards/user-cards-page', () => {
  throw new Error('Failed to fetch dynamically imported module')
})

startServer()

beforeEach(() => {
  // React and the router log errors for developers; these tests check what the notary sees.
  vi.spyOn(console, 'error').mockReturnValue()
  vi.spyOn(console, 'warn').mockReturnValue()
})
afterEach(async () => {
  session.close()
  await switchLocale('uk')
})

/** The main part of a page that failed to render. */
async function brokenPage(name = 'Сторінку не вдалося відкрити') {
  await screen.findByRole('heading', { level: 1, name })
  return within(screen.getByRole('main'))
}

describe('a page that breaks', () => {
  it('while it is drawn says so in plain words, and the way on stays open', async () => {
    answer('get', '/api/cart', {} as Cart)
    const { go } = await renderRoute('/cart')
    await brokenPage()
    // Parts of the frame that come meanwhile may draw the page anew, so each is found when it is looked at.
    await waitFor(() =>
      expect(screen.getByText('Щось пішло не так. Оновіть сторінку й спробуйте ще раз')).toBeVisible(),
    )
    expect(screen.getByRole('link', { name: 'На головну' })).toHaveAttribute('href', '/')
    expect(document.body).not.toHaveTextContent(/TypeError|undefined|Cannot|cart\.|Error/u)
    await waitFor(() => expect(screen.getAllByRole('link', { name: 'Архів' })[0]).toBeVisible())
    await waitFor(() => expect(document.title).toBe('Сторінку не вдалося відкрити – Notary dashboard'))

    // Found and pressed in one step: parts of the frame that come meanwhile may draw the page anew.
    fireEvent.click(screen.getByRole('button', { name: 'Спробувати ще раз' }))
    expect(reloadPage).toHaveBeenCalledOnce()
    answer('get', '/api/order', { orders: [], next: null })
    await go('/archive')
    await screen.findByRole('heading', { level: 1, name: 'Архів' })
    await waitFor(() => expect(document.title).toBe('Архів – Notary dashboard'))
  })

  it('because the connection is lost is opened by itself once there is one', async () => {
    lose('get', '/api/cart', 1)
    await renderRoute('/cart')
    await brokenPage()
    expect(reloadForNewParts).not.toHaveBeenCalled()
    answer('get', '/api/cart', cart())
    window.dispatchEvent(new Event('online'))
    expect(await screen.findByText('Кошик порожній')).toBeVisible()
  })

  it('takes the focus, so that it is read out', async () => {
    answer('get', '/api/order', { orders: [], next: null })
    answer('get', '/api/cart', {} as Cart)
    const { go } = await renderRoute('/archive')
    await screen.findByRole('heading', { level: 1, name: 'Архів' })
    await go('/cart')
    const page = await brokenPage()
    await waitFor(() => expect(page.getByRole('heading', { level: 1 })).toHaveFocus())
  })

  it('while it is prepared says so, too', async () => {
    await renderRoute('/me')
    const page = await brokenPage()
    expect(page.getByText('Щось пішло не так. Оновіть сторінку й спробуйте ще раз')).toBeVisible()
    expect(page.getByRole('link', { name: 'На головну' })).toBeVisible()
    expect(document.body).not.toHaveTextContent(jargon)
  })

  it('because a part of it was not loaded names the connection', async () => {
    await renderRoute('/me/user-cards')
    const page = await brokenPage()
    expect(
      page.getByText('Немає зв’язку із сервером. Перевірте зв’язок з інтернетом і спробуйте ще раз'),
    ).toBeVisible()
    expect(document.body).not.toHaveTextContent(/module/u)
    expect(reloadForNewParts).toHaveBeenCalledOnce()
  })

  it('says so in English, too', async () => {
    await renderRoute('/me', { locale: 'en' })
    const page = await brokenPage('This page could not be opened')
    expect(page.getByText('Something went wrong. Reload the page and try again')).toBeVisible()
    expect(page.getByRole('link', { name: 'Go to the home page' })).toBeVisible()
  })
})
