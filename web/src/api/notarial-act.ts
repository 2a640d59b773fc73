import { cartQuery } from './cart'
import { api, documents } from './client'
import { readOrderAnew } from './order-cache'
import { orderQuery } from './orders'
import { queryClient } from './query-client'
import type { LoadedFile } from './receipts'
import type { components } from './schema'

export type NotarialAct = components['schemas']['NotarialAct']

/** Replaces what is known of the notarial act of a client's payments in the cart. Returns it as it is stored. */
export async function saveCartAct(clientId: string, act: NotarialAct): Promise<NotarialAct> {
  const saved = await api.POST('/cart/act', { body: { client_id: clientId, ...act } })
  const { queryKey } = cartQuery()
  // A form that is opened before the cart has been read again begins with what was saved. An older answer must not overwrite it.
  if (queryClient.getQueryData(queryKey) !== undefined) void queryClient.cancelQueries({ queryKey })
  queryClient.setQueryData(
    queryKey,
    (cart) =>
      cart && {
        ...cart,
        groups: cart.groups.map((group) => (group.client.id === clientId ? { ...group, act: saved } : group)),
      },
  )
  void queryClient.invalidateQueries({ queryKey })
  return saved
}

/** Replaces what is known of the notarial act of an order. Returns it as it is stored. */
export async function saveOrderAct(orderId: string, act: NotarialAct): Promise<NotarialAct> {
  const { order } = await api.POST('/order/{id}/act', { params: { path: { id: orderId } }, body: act })
  const { queryKey } = orderQuery(orderId)
  if (queryClient.getQueryData(queryKey) !== undefined) {
    void queryClient.cancelQueries({ queryKey, exact: true })
    queryClient.setQueryData(queryKey, (known) => known && { ...known, act: order.act })
  }
  void readOrderAnew(orderId)
  return order.act
}

/** The extract of a paid order for the notarial file. */
export async function orderExtract(orderId: string): Promise<LoadedFile> {
  const answer = await documents.GET('/order/{id}/extract', { params: { path: { id: orderId } } })
  return { bytes: await answer.blob(), fileName: `Extract-${orderId}.pdf` }
}
