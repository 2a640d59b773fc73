import { loadCatalog } from '@/i18n/i18n'
import { LogoutDialog } from './logout-dialog'

/** Loads the question before a logout with its texts. */
export async function load(): Promise<typeof LogoutDialog> {
  await loadCatalog({ uk: () => import('./locales/uk.po'), en: () => import('./locales/en.po') })
  return LogoutDialog
}
