import { queryClient } from '@/api/query-client'
import { unfinishedQuery } from '@/api/unfinished'
import { loadCatalog } from '@/i18n/i18n'
import { preloadable } from '@/lib/preloadable'

/** Not in the list of the pages' catalogues, which every page loads. */
const texts = {
  uk: () => import('@/features/unfinished/locales/uk.po'),
  en: () => import('@/features/unfinished/locales/en.po'),
}

export const loadUnfinishedTexts = () => loadCatalog(texts)

const { preload, Part } = preloadable(async () => {
  const [line] = await Promise.all([import('@/features/unfinished/unfinished'), loadUnfinishedTexts()])
  return line.Unfinished
})

/** Loads the unfinished orders and, where there are any, the line that tells them. Without both the page works. */
export async function loadUnfinished(): Promise<void> {
  await queryClient.prefetchQuery(unfinishedQuery())
  const orders = queryClient.getQueryData(unfinishedQuery().queryKey)
  if (orders?.length !== 0) await preload()
}

export { Part as Unfinished }
