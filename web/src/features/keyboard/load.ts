import { loadCatalog } from '@/i18n/i18n'

import { Keyboard } from './keyboard'
import { PaletteButton } from './palette-button'

const loadTexts = () =>
  loadCatalog({ uk: () => import('./locales/uk.po'), en: () => import('./locales/en.po') })

/** Loads the keyboard shortcuts with their texts. */
export async function load(): Promise<typeof Keyboard> {
  await loadTexts()
  return Keyboard
}

/** Loads the button of the palette with its text. */
export async function loadButton(): Promise<typeof PaletteButton> {
  await loadTexts()
  return PaletteButton
}
