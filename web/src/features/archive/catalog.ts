/** The texts of the archive, some of which the page of an order has, too. */
export const archiveCatalog = {
  uk: () => import('./locales/uk.po'),
  en: () => import('./locales/en.po'),
}
