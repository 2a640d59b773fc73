import { accountTexts } from '@/i18n/accounts/catalog'
import { loadCatalog, type Catalog } from '@/i18n/i18n'

const fieldTexts: Catalog = {
  uk: () => import('./locales/uk.po'),
  en: () => import('./locales/en.po'),
}

/** Loads the texts of the fields, and of the refusals of any account in the form. */
export const loadTexts = () => Promise.all([loadCatalog(fieldTexts), loadCatalog(accountTexts)])
