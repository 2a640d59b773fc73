/** What a payment to any requisites needs of the form: loaded after the form is shown. */
import { accountTexts } from '@/i18n/accounts/catalog'
import { loadCatalog, type Catalog } from '@/i18n/i18n'

export { readTypedRecipient } from './read-typed-recipient'
export { RequisitesFields } from './requisites-fields'

const fieldTexts: Catalog = {
  uk: () => import('./locales/uk.po'),
  en: () => import('./locales/en.po'),
}

/** Loads the texts of the fields, and of the refusals of any account in the form. */
export const loadTexts = () => Promise.all([loadCatalog(fieldTexts), loadCatalog(accountTexts)])
