import { authTexts } from '@/i18n/auth/catalog'
import { loadCatalog } from '@/i18n/i18n'
import { profileTexts } from '@/i18n/profile/catalog'

import { clientLinkCatalog } from './catalog'
import { ClientLink } from './client-link'
import { SendMade } from './send-made'

// What is refused of a phone or an address is in the other two.
const loadTexts = () => Promise.all([clientLinkCatalog, authTexts, profileTexts].map(loadCatalog))

/** Loads the link for the client of an order, which a page can be shown without, with its texts. */
export async function loadClientLink(): Promise<typeof ClientLink> {
  await loadTexts()
  return ClientLink
}

/** Loads what sends a link that was made elsewhere, with its texts. */
export async function loadSendMade(): Promise<typeof SendMade> {
  await loadTexts()
  return SendMade
}
