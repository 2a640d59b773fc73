import { StandingNotice } from '@/features/standing/standing-notice'
import { loadCatalog } from '@/i18n/i18n'
import { catalogs } from '../catalogs'

/** Loads the notice of an account that may not order. Other accounts load nothing of it. */
export async function load(): Promise<typeof StandingNotice> {
  await loadCatalog(catalogs.standing)
  return StandingNotice
}
