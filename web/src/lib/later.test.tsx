import { fireEvent, render, screen } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { Suspense, type ComponentType } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AwaitedPart } from '@/ui/awaited-part'
import { i18n, switchLocale } from '@/i18n/i18n'
import { I18nProvider } from '@lingui/react'
import { later } from './later'
import { reloadPage } from './leave-page'
import { preloadable } from './preloadable'

vi.mock('./leave-page', () => ({ reloadPage: vi.fn<() => void>() }))

const answers = vi.fn<() => Promise<Response>>()

beforeEach(async () => {
  await switchLocale('uk')
  sessionStorage.clear()
  vi.mocked(reloadPage).mockClear()
  vi.stubGlobal('fetch', answers)
  vi.useFakeTimers({ shouldAdvanceTime: true })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Shows a part whose load fails so often. */
function show(failures: number) {
  let loads = 0
  const Part = later(() => {
    loads += 1
    return loads > failures ? Promise.resolve(() => <p>Part</p>) : Promise.reject(new Error('not loaded'))
  })
  render(
    <I18nProvider i18n={i18n}>
      <Suspense fallback={<AwaitedPart />}>
        <Part />
      </Suspense>
    </I18nProvider>,
  )
  return () => loads
}

test('a part whose load fails is loaded again until it comes, without a reload of the page', async () => {
  answers.mockRejectedValue(new TypeError('offline'))
  const loads = show(3)
  await vi.advanceTimersByTimeAsync(34_000)
  expect(loads(), 'after 0, 5 and 15 seconds').toBe(3)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(await screen.findByText('Part')).toBeVisible()
  expect(reloadPage).not.toHaveBeenCalled()
})

test.each([
  ['the browser is online again', () => dispatchEvent(new Event('online'))],
  ['somebody looks at the page again', () => document.dispatchEvent(new Event('visibilitychange'))],
])('a part whose load failed is loaded at once when %s', async (_, happens) => {
  answers.mockRejectedValue(new TypeError('offline'))
  const loads = show(4)
  await vi.advanceTimersByTimeAsync(36_000)
  expect(loads(), 'the next is due after 40 seconds').toBe(4)
  happens()
  await vi.advanceTimersByTimeAsync(0)
  expect(loads()).toBe(5)
  expect(await screen.findByText('Part')).toBeVisible()
})

test('a part whose load failed is loaded at once when its preload, or another part, has come', async () => {
  answers.mockRejectedValue(new TypeError('offline'))
  const loads = show(4)
  await vi.advanceTimersByTimeAsync(36_000)
  expect(loads()).toBe(4)
  const { preload } = preloadable(() => Promise.resolve(() => <p>Another</p>))
  await preload()
  await vi.advanceTimersByTimeAsync(0)
  expect(loads()).toBe(5)
  expect(await screen.findByText('Part')).toBeVisible()
})

test('a part that somebody waits for and that does not come is loaded by one reload of the page', async () => {
  answers.mockImplementation(() => Promise.resolve(new HttpResponse(null, { status: 200 })))
  show(Number.POSITIVE_INFINITY)
  await vi.advanceTimersByTimeAsync(9_000)
  expect(reloadPage).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(reloadPage).toHaveBeenCalledTimes(1)
  // The page that was loaded anew lacks it, too.
  show(Number.POSITIVE_INFINITY)
  await vi.advanceTimersByTimeAsync(11_000)
  expect(reloadPage).toHaveBeenCalledTimes(1)
})

test('a part that hangs keeps its page for seconds only, and comes later', async () => {
  const { promise, resolve } = Promise.withResolvers<ComponentType>()
  const { preload, Part } = preloadable(() => promise)
  const shown = vi.fn<() => void>()
  void preload().then(shown)
  await vi.advanceTimersByTimeAsync(4_000)
  expect(shown).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(shown).toHaveBeenCalled()
  render(<Part />)
  expect(screen.queryByText('Part')).toBeNull()
  resolve(() => <p>Part</p>)
  expect(await screen.findByText('Part')).toBeVisible()
})

test('a part that comes later keeps its state when its page is drawn anew', async () => {
  const { preload, Part } = preloadable(() => Promise.resolve(() => <input aria-label="Part" />))
  const { rerender } = render(<Part />)
  fireEvent.change(await screen.findByLabelText('Part'), { target: { value: 'typed' } })
  await preload()
  rerender(<Part />)
  expect(screen.getByLabelText('Part')).toHaveValue('typed')
})

test('a part that its page waits for stands with it, and one that could not be loaded comes later', async () => {
  let loads = 0
  const { preload, Part } = preloadable(() => {
    loads += 1
    return loads > 1 ? Promise.resolve(() => <p>Part</p>) : Promise.reject(new Error('not loaded'))
  })
  await preload()
  render(<Part />).unmount()
  expect(loads, 'once more, because it is shown').toBe(2)
  await vi.advanceTimersByTimeAsync(0)
  render(<Part />)
  expect(screen.getByText('Part')).toBeVisible()
})
