import { Suspense, type ComponentType } from 'react'
import { queryClient } from '@/api/query-client'
import { unfinishedQuery } from '@/api/unfinished'
import { loadCatalog } from '@/i18n/i18n'
import { later } from '@/lib/later'

/** Not in the list of the pages' catalogues, which every page loads. */
const texts = {
  uk: () => import('@/features/unfinished/locales/uk.po'),
  en: () => import('@/features/unfinished/locales/en.po'),
}

let Loaded: ComponentType | null = null

async function loadLine(): Promise<ComponentType> {
  const [line] = await Promise.all([import('@/features/unfinished/unfinished'), loadCatalog(texts)])
  Loaded = line.Unfinished
  return Loaded
}

const Line = later(loadLine)

/** Loads the unfinished orders and, where there are any, the line that tells them. Without both the page works. */
export async function loadUnfinished(): Promise<void> {
  await queryClient.prefetchQuery(unfinishedQuery())
  const orders = queryClient.getQueryData(unfinishedQuery().queryKey)
  if (orders?.length !== 0) await loadLine().catch(() => undefined)
}

/** The line of the unfinished orders. Where it is loaded it stands with the page, so that nothing moves. */
export function Unfinished() {
  return Loaded === null ? (
    <Suspense>
      <Line />
    </Suspense>
  ) : (
    <Loaded />
  )
}
