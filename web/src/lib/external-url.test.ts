import { describe, expect, it } from 'vitest'

import { externalUrl, serverUrl } from './external-url'

describe('externalUrl', () => {
  it.each([
    ['https://pay.example/invoice/1', 'https:', 'https://pay.example/invoice/1'],
    ['http://127.0.0.1:8081/pay/1', 'http:', 'http://127.0.0.1:8081/pay/1'],
    ['http://pay.example/invoice/1', 'https:', null],
    ['javascript:alert(1)', 'http:', null],
    ['data:text/html,x', 'http:', null],
    ['blob:https://pay.example/1', 'https:', null],
    ['https://bank.example@evil.example/', 'https:', null],
    ['//evil.example/', 'https:', null],
    ['/order/1', 'https:', null],
    ['', 'https:', null],
    [null, 'https:', null],
  ])('%j on a page of %s gives %j', (text, ownProtocol, expected) => {
    expect(externalUrl(text, ownProtocol)).toBe(expected)
  })
})

it('reads a path of our own server, and no script', () => {
  expect(serverUrl('/offer')).toBe(`${window.location.origin}/offer`)
  expect(serverUrl('https://example.ua/offer')).toBe('https://example.ua/offer')
  expect(serverUrl('javascript:alert(1)')).toBeNull()
  expect(serverUrl(undefined)).toBeNull()
})
