import type { Catalog } from '../i18n'

/** The texts of the message keys of logging in and of phones. */
export const authTexts: Catalog = {
  uk: () => import('./locales/uk.po'),
  en: () => import('./locales/en.po'),
}
