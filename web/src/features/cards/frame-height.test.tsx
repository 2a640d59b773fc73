import { act, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { session } from '@/api/session'
import { renderRoute } from '@/testing/render-route'
import { answer, startServer } from '@/testing/server'

startServer()

const cards = 'https://cards.example'

beforeEach(async () => {
  answer('get', '/api/tokenization/cards', { cards: { url: `${cards}/frame` } })
  await renderRoute('/me/user-cards')
  await screen.findByTitle('Керування збереженими картками')
})
afterEach(() => session.close())

const frame = () => screen.getByTitle<HTMLIFrameElement>('Керування збереженими картками')
/** The height on a phone; on a wide page it is always 600. */
const height = () => frame().parentElement?.style.getPropertyValue('--height')

interface Sent {
  readonly origin?: string
  readonly source?: MessageEventSource | null
  readonly data?: unknown
}

function send({ origin = cards, source = frame().contentWindow, data }: Sent): void {
  act(() => {
    window.dispatchEvent(new MessageEvent('message', { origin, source, data }))
  })
}

const says = (said: unknown) => ({ type: 'cards-frame-height', height: said })

describe('on a telephone the frame', () => {
  it('is as high as its page says, and again as any other once that page is gone', () => {
    expect(height()).toBe('600px')
    send({ data: says(412.3) })
    expect(height()).toBe('413px')
    send({ data: says(null) })
    expect(height()).toBe('600px')
  })

  it.each([
    [12, '300px'],
    [-1, '300px'],
    [2001, '2000px'],
  ])('that says %d is %s high', (said, shown) => {
    send({ data: says(said) })
    expect(height()).toBe(shown)
  })

  it.each<[string, () => Sent]>([
    ['another origin', () => ({ origin: 'https://evil.example', data: says(412) })],
    ['an origin that only begins alike', () => ({ origin: `${cards}.evil.example`, data: says(412) })],
    ['no origin', () => ({ origin: 'null', data: says(412) })],
    ['another window', () => ({ source: window, data: says(412) })],
    ['no window', () => ({ source: null, data: says(412) })],
    ['something else said', () => ({ data: { type: 'resize', height: 412 } })],
    ['no height', () => ({ data: { type: 'cards-frame-height' } })],
    ['a height in words', () => ({ data: says('412') })],
    ['a height that is no number', () => ({ data: says(Number.NaN) })],
    ['a height without end', () => ({ data: says(Number.POSITIVE_INFINITY) })],
    ['a text', () => ({ data: 'cards-frame-height' })],
    ['nothing', () => ({ data: null })],
  ])('does not follow a message of %s', (_what, message) => {
    send(message())
    expect(height()).toBe('600px')
  })
})
