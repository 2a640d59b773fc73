import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import { afterEach, vi } from 'vitest'
import { dismissToasts } from '@/ui/toasts'

afterEach(cleanup)
// The next test would find those of the one before, and wait for as long as they last.
afterEach(dismissToasts)

// jsdom has no usable WebSocket. Realtime is tested in `realtime.test.ts` and in the browser tests.
vi.mock('@/api/realtime', () => ({ subscribe: () => Promise.resolve() }))

// A limit only ends what hangs: a busy machine may need long.
configure({ asyncUtilTimeout: 60_000 })

// Minimal versions of what jsdom does not implement: scrolling, layout and modal dialogs.
Element.prototype.scrollIntoView = () => undefined
window.scrollTo = () => undefined
window.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
}
HTMLDialogElement.prototype.showModal = function showModal(this: HTMLDialogElement) {
  this.open = true
  this.querySelector<HTMLElement>('button, a[href], input, select, textarea')?.focus()
}
HTMLDialogElement.prototype.close = function close(this: HTMLDialogElement) {
  this.open = false
}
