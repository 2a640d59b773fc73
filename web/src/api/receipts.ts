import { api, unwrap } from './client'
import type { components } from './schema'

export type ReceiptType = components['schemas']['ReceiptType']

/** A receipt's bytes and the name it is saved under (specification, point 9). */
export interface Receipt {
  readonly bytes: Blob
  readonly fileName: string
}

/** The document's bytes: the answer is typed as JSON only where it is a refusal. */
function bytesOf(call: Promise<{ data?: unknown; error?: unknown; response: Response }>): Promise<Blob> {
  return unwrap(call as Promise<{ data?: Blob; error?: unknown; response: Response }>)
}

export async function orderReceipt(orderId: string, type: ReceiptType): Promise<Receipt> {
  const params = { path: { id: orderId }, query: { receipt_type: type } }
  const bytes = await bytesOf(api.GET('/order/{id}/receipt', { params, parseAs: 'blob' }))
  return { bytes, fileName: `Receipt-${orderId}-${type}.pdf` }
}

export async function itemReceipt(itemId: string, type: ReceiptType): Promise<Receipt> {
  const params = { path: { id: itemId }, query: { receipt_type: type } }
  const bytes = await bytesOf(api.GET('/order/item/{id}/receipt', { params, parseAs: 'blob' }))
  return { bytes, fileName: `Receipt-${type}-${itemId}.pdf` }
}

/** All receipts of an order in one archive. */
export async function orderReceipts(orderId: string): Promise<Receipt> {
  const params = { path: { id: orderId } }
  const bytes = await bytesOf(api.GET('/order/{id}/receipts', { params, parseAs: 'blob' }))
  return { bytes, fileName: `Receipts-${orderId}.zip` }
}
