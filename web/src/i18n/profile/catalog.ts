import type { Catalog } from '../i18n'

/** The texts of the message keys of the notary's card. */
export const profileTexts: Catalog = {
  uk: () => import('./locales/uk.po'),
  en: () => import('./locales/en.po'),
}
