import type { Catalog } from '../i18n'

/** The texts of the further pages of login and sign-up, with the message keys of codes and passkeys. */
export const proofTexts: Catalog = {
  uk: () => import('./locales/uk.po'),
  en: () => import('./locales/en.po'),
}
