/** The texts of the returned parts, apart from all others: few orders need them. */
export const returnedCatalog = {
  uk: () => import('./locales/uk.po'),
  en: () => import('./locales/en.po'),
}
