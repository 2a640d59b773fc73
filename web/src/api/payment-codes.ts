import { api, documents } from './client'
import { readOrderAnew } from './order-cache'
import type { LoadedFile } from './receipts'
import type { components } from './schema'

export type PaymentCodes = components['schemas']['PaymentCodes']

/** The QR codes of an unpaid order. The server closes its payment page first, which the order tells when the codes are shown. */
export async function loadPaymentCodes(orderId: string): Promise<PaymentCodes> {
  const codes = await api.POST('/order/{id}/codes', { params: { path: { id: orderId } } })
  await readOrderAnew(orderId)
  return codes
}

/** The QR codes as a sheet for the client. */
export async function paymentCodesSheet(orderId: string): Promise<LoadedFile> {
  const params = { path: { id: orderId } }
  const answer = await documents.POST('/order/{id}/codes/document', { params })
  return { bytes: await answer.blob(), fileName: `Codes-${orderId}.pdf` }
}
