import { FirstSteps } from '@/features/first-steps/first-steps'
import { loadCatalog } from '@/i18n/i18n'

/** Not in the list of the pages' catalogues, which every page loads. */
const texts = {
  uk: () => import('@/features/first-steps/locales/uk.po'),
  en: () => import('@/features/first-steps/locales/en.po'),
}

/** Loads the list of a newcomer's first steps. Others load nothing of it. */
export async function load(): Promise<typeof FirstSteps> {
  await loadCatalog(texts)
  return FirstSteps
}
