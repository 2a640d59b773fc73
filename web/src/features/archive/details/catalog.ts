/** The texts of what an order shows when it is opened. */
export const detailsCatalog = {
  uk: () => import('./locales/uk.po'),
  en: () => import('./locales/en.po'),
}
