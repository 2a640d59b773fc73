import type { Catalog } from '../i18n'

/** The texts of the message keys of sheets of payments, and of statements of banks. */
export const sheetMessages: Catalog = {
  uk: () => import('./locales/uk.po'),
  en: () => import('./locales/en.po'),
}
