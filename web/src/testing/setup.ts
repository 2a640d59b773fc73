import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import { afterEach, vi } from 'vitest'

afterEach(cleanup)

// There is no socket here. What is heard over one is proven where it is taken in, and in the browser tests.
vi.mock('@/api/realtime', () => ({ subscribe: () => Promise.resolve() }))

// The first page of a file loads its parts, which takes its time on a busy machine.
configure({ asyncUtilTimeout: 8000 })

// jsdom draws nothing, so what only moves the page or covers it is missing; here is just enough of it.
Element.prototype.scrollIntoView = () => undefined
window.scrollTo = () => undefined
HTMLDialogElement.prototype.showModal = function showModal(this: HTMLDialogElement) {
  this.open = true
  this.querySelector<HTMLElement>('button, a[href], input, select, textarea')?.focus()
}
HTMLDialogElement.prototype.close = function close(this: HTMLDialogElement) {
  this.open = false
}
