import { act, screen } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { renderUi } from '@/testing/render-ui'
import { Button } from './button'
import { showToast, ToastRegion, type Toast } from './toast'

// What the region shows is loaded later.
beforeAll(() => import('./toast-lines'))
beforeEach(() => vi.useFakeTimers({ shouldAdvanceTime: true }))
afterEach(async () => {
  await act(() => vi.advanceTimersByTimeAsync(20_000))
  vi.useRealTimers()
})

const show = (toast: Toast) =>
  act(async () => {
    showToast(toast)
    await Promise.resolve()
  })

test('a toast goes after three seconds to the millisecond', async () => {
  await renderUi(<ToastRegion />)
  // Fake timers: time passes only by `advanceTimersByTime`.
  vi.useFakeTimers()
  await show({ text: 'Зміни збережено!' })
  act(() => vi.advanceTimersByTime(2999))
  expect(screen.getByText('Зміни збережено!')).toBeVisible()
  act(() => vi.advanceTimersByTime(1))
  expect(screen.queryByText('Зміни збережено!')).toBeNull()
})

test('one with something to do about it stays longer, and is gone when it is done', async () => {
  const undo = vi.fn<() => void>()
  const user = await renderUi(<ToastRegion />)
  await show({ text: 'Платіж видалено', action: { label: 'Повернути', onSelect: undo } })
  await act(() => vi.advanceTimersByTimeAsync(5000))
  await user.click(screen.getByRole('button', { name: 'Повернути' }))
  expect(undo).toHaveBeenCalledOnce()
  expect(screen.queryByText('Платіж видалено')).toBeNull()
})

test('one that is pointed at, or reached with the keyboard, waits until it is left', async () => {
  const user = await renderUi(<ToastRegion />)
  await show({ text: 'Форму очищено', action: { label: 'Повернути', onSelect: () => undefined } })
  await user.hover(screen.getByText('Форму очищено'))
  await user.tab()
  expect(screen.getByRole('button', { name: 'Повернути' })).toHaveFocus()
  await act(() => vi.advanceTimersByTimeAsync(20_000))
  await user.unhover(screen.getByText('Форму очищено'))
  await act(() => vi.advanceTimersByTimeAsync(20_000))
  expect(screen.getByText('Форму очищено')).toBeVisible()
  await user.tab({ shift: true })
  await act(() => vi.advanceTimersByTimeAsync(8000))
  expect(screen.queryByText('Форму очищено')).toBeNull()
})

const at = (top: number, bottom: number) => new DOMRect(0, top, 300, bottom - top)

test('a toast stands above a main button, and above what has the focus', async () => {
  await renderUi(
    <>
      <main>
        <Button variant="primary">Сплатити</Button>
        <Button>Скасувати</Button>
      </main>
      <ToastRegion />
    </>,
  )
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (this: HTMLElement) {
    if (this.hasAttribute('data-toasts')) return at(0, 80)
    return this.textContent === 'Сплатити' ? at(700, 748) : at(560, 608)
  })
  vi.stubGlobal('innerHeight', 768)
  await show({ text: 'До кошика додано 2 платежі' })
  const toasts = document.querySelector<HTMLElement>('[data-toasts]')
  expect(toasts?.style.marginBottom).toBe('68px')
  screen.getByRole('button', { name: 'Скасувати' }).focus()
  await act(() => vi.advanceTimersByTimeAsync(200))
  expect(toasts?.style.marginBottom).toBe('68px')
  vi.mocked(HTMLElement.prototype.getBoundingClientRect).mockImplementation(function (this: HTMLElement) {
    if (this.hasAttribute('data-toasts')) return at(0, 80)
    return this.textContent === 'Сплатити' ? at(700, 748) : at(640, 690)
  })
  await act(() => vi.advanceTimersByTimeAsync(200))
  expect(toasts?.style.marginBottom).toBe('128px')
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})
