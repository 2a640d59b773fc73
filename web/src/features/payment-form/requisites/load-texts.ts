import { clientBookCatalog } from '@/forms/client-book/catalog'
import { accountTexts } from '@/i18n/accounts/catalog'
import { loadCatalog, type Catalog } from '@/i18n/i18n'

const fieldTexts: Catalog = {
  uk: () => import('./locales/uk.po'),
  en: () => import('./locales/en.po'),
}

/** Loads the texts of the fields, of the address book, and of the refusals of any account in the form. */
export const loadTexts = () => Promise.all([fieldTexts, clientBookCatalog, accountTexts].map(loadCatalog))
