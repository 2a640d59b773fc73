import type { QueryClient } from '@tanstack/react-query'

import { cartQuery, contentsOf, type Cart } from '@/api/cart'
import { loadOrder, loadOrders } from '@/api/orders'
import { transfersOf } from '@/lib/cart-transfers'
import { fromHryvnias } from '@/lib/money'
import { sumPartsOf } from '@/lib/sum-parts'

import { itemIds, type PaidGroup } from './create-order'
import { lostRow, orderRow, waitingRow, type PayAllRow } from './pay-all-rows'
import type { KeptRow } from './pay-all-run'

/** The payments of a row, where they are in the cart as they were; otherwise null. */
function groupOf({ clientId, contents }: KeptRow, cart: Cart | null): PaidGroup | null {
  const group = cart?.groups.find(({ client }) => client.id === clientId)
  if (group === undefined || contentsOf(group.items) !== contents) return null
  return {
    clientId,
    contents,
    clientName: group.client.full_name,
    sum: fromHryvnias(group.amount),
    parts: sumPartsOf(group.items),
    transfers: transfersOf(group.items),
  }
}

/** Finds what became of the rows of an interrupted payment. */
export async function lookUpRun(
  kept: readonly KeptRow[],
  queryClient: QueryClient,
): Promise<readonly PayAllRow[]> {
  const cart = await queryClient.fetchQuery({ ...cartQuery(), staleTime: 0 }).catch(() => null)
  const newest = await loadOrders({}, null).catch(() => ({ orders: [] }))
  return Promise.all(
    kept.map(async (row) => {
      const group = row.orderId === null ? groupOf(row, cart) : null
      if (group !== null) return waitingRow(group)
      const ids = itemIds(row.contents)
      const id = row.orderId ?? newest.orders.find(({ items }) => items.some((item) => ids.has(item.id)))?.id
      const order = id === undefined ? null : await loadOrder(id, true).catch(() => null)
      return order === null ? lostRow(row) : orderRow(row, order)
    }),
  )
}
