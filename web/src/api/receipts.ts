import { documents } from './client'
import type { components } from './schema'

export type ReceiptType = components['schemas']['ReceiptType']

/** The bytes of a file and the name it is saved under (specification, point 9). */
export interface LoadedFile {
  readonly bytes: Blob
  readonly fileName: string
}

export async function orderReceipt(orderId: string, type: ReceiptType): Promise<LoadedFile> {
  const params = { path: { id: orderId }, query: { receipt_type: type } }
  const answer = await documents.GET('/order/{id}/receipt', { params })
  return { bytes: await answer.blob(), fileName: `Receipt-${orderId}-${type}.pdf` }
}

export async function itemReceipt(itemId: string, type: ReceiptType): Promise<LoadedFile> {
  const params = { path: { id: itemId }, query: { receipt_type: type } }
  const answer = await documents.GET('/order/item/{id}/receipt', { params })
  return { bytes: await answer.blob(), fileName: `Receipt-${type}-${itemId}.pdf` }
}

/** All receipts of an order in one archive. */
export async function orderReceipts(orderId: string): Promise<LoadedFile> {
  const answer = await documents.GET('/order/{id}/receipts', { params: { path: { id: orderId } } })
  return { bytes: await answer.blob(), fileName: `Receipts-${orderId}.zip` }
}
