import { serverUrl } from './external-url'
import type { Locale } from './locale'

/**
 * The address of the public offer in the language of the page; null if it is not a web address. The address of an offer on
 * another site is not changed.
 */
export function offerUrl(text: string | null | undefined, locale: Locale): string | null {
  const address = serverUrl(text)
  if (address === null) return null
  const url = new URL(address)
  if (url.origin === window.location.origin) url.searchParams.set('language', locale)
  return url.href
}
