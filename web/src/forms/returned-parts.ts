import { loadCatalog } from '@/i18n/i18n'
import { returnedCatalog } from '@/ui/returned/catalog'
import { ReturnedParts } from '@/ui/returned/returned-parts'

/** Loads the notice of returned parts with its texts. Orders without any load nothing of it. */
export async function load(): Promise<typeof ReturnedParts> {
  await loadCatalog(returnedCatalog)
  return ReturnedParts
}
