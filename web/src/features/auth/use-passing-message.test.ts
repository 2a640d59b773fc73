import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { usePassingMessage } from './use-passing-message'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('an answer stands under the field for three seconds to the millisecond, and by the button from then on', () => {
  const { result } = renderHook(() => usePassingMessage())
  act(() => result.current.show(() => 'Неправильний код'))
  act(() => vi.advanceTimersByTime(2999))
  expect(result.current).toMatchObject({ underField: 'Неправильний код', byButton: null })
  act(() => vi.advanceTimersByTime(1))
  expect(result.current).toMatchObject({ underField: null, byButton: 'Неправильний код' })
  act(() => vi.advanceTimersByTime(60_000))
  expect(result.current.byButton).toBe('Неправильний код')
  act(() => result.current.clear())
  expect(result.current).toMatchObject({ underField: null, byButton: null })
})

test('another answer has three seconds of its own', () => {
  const { result } = renderHook(() => usePassingMessage())
  act(() => result.current.show(() => 'Перша відповідь'))
  act(() => vi.advanceTimersByTime(2000))
  act(() => result.current.show(() => 'Друга відповідь'))
  act(() => vi.advanceTimersByTime(2999))
  expect(result.current.underField).toBe('Друга відповідь')
  act(() => vi.advanceTimersByTime(1))
  expect(result.current).toMatchObject({ underField: null, byButton: 'Друга відповідь' })
})
