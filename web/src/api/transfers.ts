import { queryOptions } from '@tanstack/react-query'

import { api, documents } from './client'
import { ordersKey } from './orders'
import type { LoadedFile } from './receipts'
import type { components } from './schema'

export type OrderTransfer = components['schemas']['OrderTransfer']
export type ResendRequest = components['schemas']['ResendRequest']
export type ReturnApplication = components['schemas']['ReturnApplication']
export type ReturnApplicationRequest = components['schemas']['ReturnApplicationRequest']

/** The transfers of an order, and what can be done about those that came back. */
export const transfersQuery = (orderId: string) =>
  queryOptions({
    // Below the single orders, so that news of the order read it again.
    queryKey: [...ordersKey.pages, orderId, 'transfers'],
    queryFn: async ({ signal }) => {
      const path = { id: orderId }
      return (await api.GET('/order/{id}/transfers', { params: { path }, signal })).transfers
    },
  })

/** Sends a returned transfer again. The same request again changes nothing. */
export const sendAgain = (transferId: string, body: ResendRequest) =>
  api.POST('/order/transfer/{id}/resend', { params: { path: { id: transferId } }, body })

/** Asks for a returned transfer to be given back to the client's card. The same request again changes nothing. */
export const refundToCard = (transferId: string) =>
  api.POST('/order/transfer/{id}/refund', { params: { path: { id: transferId } } })

/** Asks for all returned transfers of an order to be given back to the client's card. */
export const refundAllToCard = (orderId: string) =>
  api.POST('/order/{id}/refund', { params: { path: { id: orderId } } })

/** The application for the return of a transfer. The server stores nothing of the request. */
export async function returnApplication(
  transferId: string,
  body: ReturnApplicationRequest,
): Promise<LoadedFile> {
  const params = { path: { id: transferId } }
  const answer = await documents.POST('/order/transfer/{id}/application', { params, body })
  return { bytes: await answer.blob(), fileName: `Application-${transferId}.pdf` }
}
