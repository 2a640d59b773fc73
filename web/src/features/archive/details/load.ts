import { loadCatalog } from '@/i18n/i18n'

import { archiveCatalog } from '../catalog'
import { detailsCatalog } from './catalog'
import { OpenedOrder } from './opened-order'
import { OrderParts } from './order-parts'

/** Loads what an opened row of the archive shows, with its texts. */
export async function loadOpenedOrder(): Promise<typeof OpenedOrder> {
  await loadCatalog(detailsCatalog)
  return OpenedOrder
}

/** Loads what the page of an order shows below its head, with its texts. */
export async function loadOrderParts(): Promise<typeof OrderParts> {
  await Promise.all([archiveCatalog, detailsCatalog].map(loadCatalog))
  return OrderParts
}
