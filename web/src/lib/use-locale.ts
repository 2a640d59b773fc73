import { useLingui } from '@lingui/react'
import type { Locale } from './locale'

/** The language of the page. The component is rendered again when it is switched. */
export function useLocale(): Locale {
  return useLingui().i18n.locale === 'en' ? 'en' : 'uk'
}
