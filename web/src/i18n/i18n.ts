/**
 * Languages: which one is spoken, and the catalogues that have been asked for so far.
 *
 * A page brings its own catalogue (see `lingui.config.ts`); switching the language loads the twin of every
 * catalogue in use, so that nothing on the screen stays in the old language.
 */
import { i18n, type Messages } from '@lingui/core'
import { NetworkFailure } from '@/api/failure'
import type { Locale } from '@/lib/locale'
import { holdShortWordsIn } from './hold-short-words'

/** The two compiled files of one catalogue. */
export type Catalog = Record<Locale, () => Promise<{ messages: Messages }>>

const storageKey = 'cabinet.locale'

const frameCatalog: Catalog = {
  uk: () => import('./locales/uk.po'),
  en: () => import('./locales/en.po'),
}

/** The catalogues asked for so far, each with its first loading. */
const inUse = new Map<Catalog, Promise<void>>()

/** The language chosen earlier in this browser, Ukrainian by default. */
export function storedLocale(): Locale {
  try {
    return localStorage.getItem(storageKey) === 'en' ? 'en' : 'uk'
  } catch {
    return 'uk'
  }
}

/** Set at once by a switch, before its messages have come: what is asked for meanwhile is already in the new language. */
let spoken: Locale = 'uk'

/** The language spoken now. */
export function currentLocale(): Locale {
  return spoken
}

/** Makes the messages of a page known in the language spoken now; called before the page is drawn. */
export async function loadCatalog(catalog: Catalog): Promise<void> {
  const known = inUse.get(catalog)
  if (known !== undefined) return known
  const loading = load(catalog)
  inUse.set(catalog, loading)
  // Another try may find the connection back.
  loading.catch(() => inUse.delete(catalog))
  return loading
}

async function load(catalog: Catalog): Promise<void> {
  const locale = spoken
  take(locale, (await catalog[locale]()).messages)
  // The language may have been switched while the file was on its way.
  if (spoken !== locale) take(spoken, (await catalog[spoken]()).messages)
}

/** Makes messages known. The tests look for the sentences as they are written. */
function take(locale: Locale, messages: Messages): void {
  i18n.load(locale, import.meta.env.PROD ? holdShortWordsIn(messages) : messages)
}

function remember(locale: Locale): void {
  try {
    localStorage.setItem(storageKey, locale)
  } catch {
    // Storage is closed: the choice holds until the page is left.
  }
}

/**
 * Speaks the given language from now on and remembers the choice in this browser. The choice is remembered before its
 * messages have come: whoever chooses and reloads at once finds the chosen language. What can't be loaded is forgotten.
 */
export async function switchLocale(locale: Locale): Promise<void> {
  const before = spoken
  const stored = storedLocale()
  spoken = locale
  remember(locale)
  const loaded = await Promise.all([frameCatalog, ...inUse.keys()].map((catalog) => catalog[locale]())).catch(
    (cause: unknown) => {
      if (spoken === locale) {
        spoken = before
        remember(stored)
      }
      throw new NetworkFailure({ cause })
    },
  )
  // A later switch has overtaken this one.
  if (spoken !== locale) return
  take(locale, Object.assign({}, ...loaded.map(({ messages }) => messages)))
  i18n.activate(locale)
  document.documentElement.lang = locale
}

export { i18n }
