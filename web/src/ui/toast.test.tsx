import { act, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { renderUi } from '@/testing/render-ui'
import { showToast, ToastRegion } from './toast'

beforeEach(() => vi.useFakeTimers({ shouldAdvanceTime: true }))
afterEach(async () => {
  await act(() => vi.advanceTimersByTimeAsync(20_000))
  vi.useRealTimers()
})

test('a toast goes after three seconds to the millisecond', async () => {
  await renderUi(<ToastRegion />)
  // Fake timers: time passes only by `advanceTimersByTime`.
  vi.useFakeTimers()
  act(() => showToast({ text: 'Зміни збережено!' }))
  act(() => vi.advanceTimersByTime(2999))
  expect(screen.getByText('Зміни збережено!')).toBeVisible()
  act(() => vi.advanceTimersByTime(1))
  expect(screen.queryByText('Зміни збережено!')).toBeNull()
})

test('one with something to do about it stays longer, and is gone when it is done', async () => {
  const undo = vi.fn<() => void>()
  const user = await renderUi(<ToastRegion />)
  act(() => showToast({ text: 'Платіж видалено', action: { label: 'Повернути', onSelect: undo } }))
  await act(() => vi.advanceTimersByTimeAsync(5000))
  await user.click(screen.getByRole('button', { name: 'Повернути' }))
  expect(undo).toHaveBeenCalledOnce()
  expect(screen.queryByText('Платіж видалено')).toBeNull()
})

test('one that is pointed at, or reached with the keyboard, waits until it is left', async () => {
  const user = await renderUi(<ToastRegion />)
  act(() => showToast({ text: 'Форму очищено', action: { label: 'Повернути', onSelect: () => undefined } }))
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
