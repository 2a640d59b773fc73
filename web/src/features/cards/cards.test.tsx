import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { session } from '@/api/session'
import { switchLocale } from '@/i18n/i18n'
import { renderRoute } from '@/testing/render-route'
import { answer, callsOf, refuse, startServer } from '@/testing/server'

startServer()

/** Each address is valid once, as those of the server. */
let given = 0

beforeEach(() => {
  given = 0
  answer('get', '/api/tokenization/cards', ({ query }) => {
    given += 1
    return { cards: { url: `https://cards.example/${query['language']}/${given}` } }
  })
})
afterEach(async () => {
  vi.useRealTimers()
  session.close()
  await switchLocale('uk')
})

const frame = () => screen.findByTitle<HTMLIFrameElement>('Керування збереженими картками')

test('the frame is 600 high, has a name, and a loader stands there until it is loaded', async () => {
  await renderRoute('/me/user-cards')
  expect(await frame()).toHaveAttribute('height', '600')
  expect(screen.getByText('Завантажуємо ваші картки…')).toBeInTheDocument()
  fireEvent.load(await frame())
  await waitFor(() => expect(screen.queryByText('Завантажуємо ваші картки…')).toBeNull())
  expect(screen.getByText(/PCI DSS/u)).toBeVisible()
  // A browser that blocks the frame tells the page that it is loaded.
  expect(screen.getByText(/^Якщо карток не видно/u)).toBeVisible()
})

test('another language means another frame', async () => {
  const { user } = await renderRoute('/me/user-cards')
  expect(await frame()).toHaveAttribute('src', 'https://cards.example/uk/1')
  await user.click(screen.getByRole('button', { name: /^Eng/u }))
  await waitFor(() =>
    expect(screen.getByTitle('Manage saved cards')).toHaveAttribute('src', 'https://cards.example/en/2'),
  )
})

test('a frame that does not load within ten seconds says so, and another try asks for a fresh address', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { user } = await renderRoute('/me/user-cards')
  await frame()
  await vi.advanceTimersByTimeAsync(9_000)
  expect(screen.queryByText('Сторінку карток не вдалося завантажити')).toBeNull()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await screen.findByText('Сторінку карток не вдалося завантажити')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Спробувати ще раз' }))
  await waitFor(async () => expect(await frame()).toHaveAttribute('src', 'https://cards.example/uk/2'))
  expect(screen.queryByText('Сторінку карток не вдалося завантажити')).toBeNull()
  fireEvent.load(await frame())
  await vi.advanceTimersByTimeAsync(10_500)
  expect(screen.queryByText('Сторінку карток не вдалося завантажити')).toBeNull()
})

test('a refusal says what is wrong', async () => {
  refuse('get', '/api/tokenization/cards', 409, { message: 'acquirer_refused' })
  await renderRoute('/me/user-cards')
  expect(
    await screen.findByText(
      'Банк відхилив запит. Спробуйте ще раз; якщо це повториться, зверніться до служби підтримки',
    ),
  ).toBeVisible()
})

test('an address that is no web page is not framed', async () => {
  answer('get', '/api/tokenization/cards', { cards: { url: 'javascript:alert(1)' } })
  await renderRoute('/me/user-cards')
  expect(await screen.findByText('Сторінку карток не вдалося завантажити')).toBeVisible()
  expect(callsOf('/api/tokenization/cards')).toHaveLength(1)
  expect(document.querySelector('iframe')).toBeNull()
})
