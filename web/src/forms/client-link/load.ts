import { authTexts } from '@/i18n/auth/catalog'
import { loadCatalog } from '@/i18n/i18n'
import { profileTexts } from '@/i18n/profile/catalog'

import { clientLinkCatalog } from './catalog'
import { ClientLink } from './client-link'

/** Loads the link for the client of an order, which a page can be shown without, with its texts. */
export async function loadClientLink(): Promise<typeof ClientLink> {
  // What is refused of a phone or an address is in the other two.
  await Promise.all([clientLinkCatalog, authTexts, profileTexts].map(loadCatalog))
  return ClientLink
}
