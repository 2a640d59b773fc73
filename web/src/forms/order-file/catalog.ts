/** The texts of the notarial act and of the QR codes, which are loaded after the page. */
export const orderFileCatalog = {
  uk: () => import('./locales/uk.po'),
  en: () => import('./locales/en.po'),
}
