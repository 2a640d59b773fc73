import type { Catalog } from '../i18n'

/** The texts of the message keys of sheets of payments. */
export const sheetMessages: Catalog = {
  uk: () => import('./locales/uk.po'),
  en: () => import('./locales/en.po'),
}
