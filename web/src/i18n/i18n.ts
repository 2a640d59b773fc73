/**
 * The current language, and the catalogues loaded so far.
 *
 * Each page loads its own catalogue (see `lingui.config.ts`). A switch of the language loads the other language of every
 * catalogue in use, so that the whole screen changes.
 */
import { i18n, type Messages } from '@lingui/core'
import { NetworkFailure } from '@/api/failure'
import type { Locale } from '@/lib/locale'
import { holdShortWordsIn } from './hold-short-words'

/** The compiled files of one catalogue, by language. */
export type Catalog = Record<Locale, () => Promise<{ messages: Messages }>>

const storageKey = 'cabinet.locale'

const frameCatalog: Catalog = {
  uk: () => import('./locales/uk.po'),
  en: () => import('./locales/en.po'),
}

/** The catalogues in use, each with its first loading. */
const inUse = new Map<Catalog, Promise<void>>()

/** The language that was chosen earlier in this browser; Ukrainian by default. */
export function storedLocale(): Locale {
  try {
    return localStorage.getItem(storageKey) === 'en' ? 'en' : 'uk'
  } catch {
    return 'uk'
  }
}

/**
 * Set at the beginning of a switch, before the messages are loaded: catalogues requested meanwhile are loaded in the new
 * language.
 */
let spoken: Locale = 'uk'

/** The current language. */
export function currentLocale(): Locale {
  return spoken
}

/** Loads the messages of a page in the current language; called before the page is rendered. */
export async function loadCatalog(catalog: Catalog): Promise<void> {
  const known = inUse.get(catalog)
  if (known !== undefined) return known
  const loading = load(catalog)
  inUse.set(catalog, loading)
  // The next call loads it again.
  loading.catch(() => inUse.delete(catalog))
  return loading
}

async function load(catalog: Catalog): Promise<void> {
  const locale = spoken
  take(locale, (await catalog[locale]()).messages)
  // The language may have been switched while the file was being loaded.
  if (spoken !== locale) take(spoken, (await catalog[spoken]()).messages)
}

/**
 * Adds messages. Tests look for the sentences as they are written, so only the production build holds short words.
 *
 * Those of the language on the screen are added without `i18n.load`, which tells every component that the language has changed: nothing
 * that is drawn needs them yet, and each part that comes later would have the whole page drawn anew.
 */
function take(locale: Locale, messages: Messages): void {
  const held = import.meta.env.PROD ? holdShortWordsIn(messages) : messages
  if (locale === i18n.locale) Object.assign(i18n.messages, held)
  else i18n.load(locale, held)
}

function remember(locale: Locale): void {
  try {
    localStorage.setItem(storageKey, locale)
  } catch {
    // The storage is not available: the choice lasts as long as the page.
  }
}

/**
 * Switches the language and stores the choice in this browser. The choice is stored before its messages are loaded, so that a
 * reload right after the choice has the chosen language. If the loading fails, the earlier choice is restored.
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
  // A later switch has superseded this one.
  if (spoken !== locale) return
  take(locale, Object.assign({}, ...loaded.map(({ messages }) => messages)))
  i18n.activate(locale)
  document.documentElement.lang = locale
}

export { i18n }
