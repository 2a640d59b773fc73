/** The texts of the statement of the notary's bank, which are loaded after the page. */
export const statementCatalog = {
  uk: () => import('./locales/uk.po'),
  en: () => import('./locales/en.po'),
}
