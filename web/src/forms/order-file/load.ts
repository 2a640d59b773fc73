import { accountTexts } from '@/i18n/accounts/catalog'
import { loadCatalog } from '@/i18n/i18n'

import { ActPart } from './act-part'
import { orderFileCatalog } from './catalog'
import { OrderFile } from './order-file'

export { saveLateAct } from './late-act'

/**
 * Loads the notarial act, the QR codes and the cancelling of an order, which a page can be shown without, with their texts and those of
 * payments that cannot be repeated.
 */
export async function loadOrderFile(): Promise<typeof OrderFile> {
  await Promise.all([loadCatalog(orderFileCatalog), loadCatalog(accountTexts)])
  return OrderFile
}

/** Loads the notarial act alone, with its texts. */
export async function loadActPart(): Promise<typeof ActPart> {
  await loadCatalog(orderFileCatalog)
  return ActPart
}
