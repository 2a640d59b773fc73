import type { Catalog } from '../i18n'

/** The texts of the message keys of accounts and their codes, and of slips in accounts. */
export const accountTexts: Catalog = {
  uk: () => import('./locales/uk.po'),
  en: () => import('./locales/en.po'),
}
