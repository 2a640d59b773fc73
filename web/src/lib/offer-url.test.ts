import { expect, it } from 'vitest'

import { offerUrl } from './offer-url'

it.each([
  ['/offer', 'uk', `${location.origin}/offer?language=uk`],
  ['/offer', 'en', `${location.origin}/offer?language=en`],
  [`${location.origin}/offer?language=uk`, 'en', `${location.origin}/offer?language=en`],
  ['https://example.ua/offer', 'en', 'https://example.ua/offer'],
  ['javascript:alert(1)', 'uk', null],
  [undefined, 'uk', null],
] as const)('%s in %s opens %s', (text, locale, address) => {
  expect(offerUrl(text, locale)).toBe(address)
})
