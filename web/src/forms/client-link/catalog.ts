/** The texts of the link for the client, which are loaded after the page. */
export const clientLinkCatalog = {
  uk: () => import('./locales/uk.po'),
  en: () => import('./locales/en.po'),
}
