import { loadCatalog, type Catalog } from '@/i18n/i18n'

const texts: Catalog = {
  uk: () => import('./locales/uk.po'),
  en: () => import('./locales/en.po'),
}

/** What the tab keeps, with its texts; nothing where they can't be loaded. */
export async function loadKept() {
  try {
    const [{ KeptInTab }] = await Promise.all([import('./kept'), loadCatalog(texts)])
    return { default: KeptInTab }
  } catch {
    return { default: () => null }
  }
}
