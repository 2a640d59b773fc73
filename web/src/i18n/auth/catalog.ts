import type { Catalog } from '../i18n'

/** The texts of the first page of a login, with the message keys that it may show. */
export const authTexts: Catalog = {
  uk: () => import('./locales/uk.po'),
  en: () => import('./locales/en.po'),
}
