import { loadCatalog } from '@/i18n/i18n'

import { clientLinkCatalog } from './catalog'
import { ClientLink } from './client-link'

/** Loads the link for the client of an order, which a page can be shown without, with its texts. */
export async function loadClientLink(): Promise<typeof ClientLink> {
  await loadCatalog(clientLinkCatalog)
  return ClientLink
}
