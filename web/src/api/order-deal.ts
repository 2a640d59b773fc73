import { documents } from './client'
import type { LoadedFile } from './receipts'

/** The calculation of the deal that payments of an order come from. */
export async function orderDealCalculation(orderId: string): Promise<LoadedFile> {
  const params = { path: { id: orderId } }
  const answer = await documents.GET('/order/{id}/deal-calculation', { params })
  return { bytes: await answer.blob(), fileName: `Deal-${orderId}.pdf` }
}
