import { serverUrl } from './external-url'
import type { Locale } from './locale'

/** The public offer in the language of the page; null where its address is not one of the web. An offer kept elsewhere is opened as it is. */
export function offerUrl(text: string | null | undefined, locale: Locale): string | null {
  const address = serverUrl(text)
  if (address === null) return null
  const url = new URL(address)
  if (url.origin === window.location.origin) url.searchParams.set('language', locale)
  return url.href
}
