/**
 * Languages: which one is spoken, and the catalogues that have been asked for so far.
 *
 * A page brings its own catalogue (see `lingui.config.ts`); switching the language loads the twin of every
 * catalogue in use, so that nothing on the screen stays in the old language.
 */
import { i18n, type Messages } from '@lingui/core'
import type { Locale } from '@/lib/locale'

/** The two compiled files of one catalogue. */
export type Catalog = Record<Locale, () => Promise<{ messages: Messages }>>

const storageKey = 'cabinet.locale'

const frameCatalog: Catalog = {
  uk: () => import('./locales/uk.po'),
  en: () => import('./locales/en.po'),
}

const inUse = new Set<Catalog>()

/** The language chosen earlier in this browser, Ukrainian by default. */
export function storedLocale(): Locale {
  try {
    return localStorage.getItem(storageKey) === 'en' ? 'en' : 'uk'
  } catch {
    return 'uk'
  }
}

/** The language spoken now. */
export function currentLocale(): Locale {
  return i18n.locale === 'en' ? 'en' : 'uk'
}

/** Makes the messages of a page known in the language spoken now; called before the page is drawn. */
export async function loadCatalog(catalog: Catalog): Promise<void> {
  if (inUse.has(catalog)) return
  const locale = currentLocale()
  const { messages } = await catalog[locale]()
  inUse.add(catalog)
  i18n.load(locale, messages)
  // The language may have been switched while the file was on its way.
  if (currentLocale() !== locale) i18n.load(currentLocale(), (await catalog[currentLocale()]()).messages)
}

/** Speaks the given language from now on and remembers the choice in this browser. */
export async function switchLocale(locale: Locale): Promise<void> {
  inUse.add(frameCatalog)
  const loaded = await Promise.all([...inUse].map((catalog) => catalog[locale]()))
  i18n.load(locale, Object.assign({}, ...loaded.map(({ messages }) => messages)))
  i18n.activate(locale)
  document.documentElement.lang = locale
  try {
    localStorage.setItem(storageKey, locale)
  } catch {
    // Storage is closed: the choice holds until the page is left.
  }
}

export { i18n }
