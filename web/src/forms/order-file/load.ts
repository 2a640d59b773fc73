import { loadCatalog } from '@/i18n/i18n'

import { ActPart } from './act-part'
import { orderFileCatalog } from './catalog'
import { OrderFile } from './order-file'

/** Loads the parts with their texts. */
export async function loadOrderFile() {
  await loadCatalog(orderFileCatalog)
  return { ActPart, OrderFile }
}
