import { loadCatalog } from '@/i18n/i18n'

import { Keyboard } from './keyboard'

/** Loads the keyboard shortcuts with their texts. */
export async function load(): Promise<typeof Keyboard> {
  await loadCatalog({ uk: () => import('./locales/uk.po'), en: () => import('./locales/en.po') })
  return Keyboard
}
