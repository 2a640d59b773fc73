/** The texts of the address book at the fields of a client, which are loaded after the page. */
export const clientBookCatalog = {
  uk: () => import('./locales/uk.po'),
  en: () => import('./locales/en.po'),
}
