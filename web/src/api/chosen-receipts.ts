import { api, documents } from './client'
import { fileNameOf } from './export-orders'
import type { OrderFilter, Orders } from './orders'
import type { LoadedFile, ReceiptType } from './receipts'

/** The receipts of orders, one after the other in one PDF. */
export async function chosenReceipts(ids: string[], type: ReceiptType): Promise<LoadedFile> {
  const answer = await documents.POST('/order/receipts', { body: { order_ids: ids, receipt_type: type } })
  return { bytes: await answer.blob(), fileName: fileNameOf(answer, 'Receipts.pdf') }
}

/** All receipts of orders in one archive. */
export async function chosenArchive(ids: string[]): Promise<LoadedFile> {
  const answer = await documents.POST('/order/receipts/archive', { body: { order_ids: ids } })
  return { bytes: await answer.blob(), fileName: fileNameOf(answer, 'Receipts.zip') }
}

/** The paid orders that a filter finds, at most so many. A filter by another status finds none. */
export async function findPaidOrders(
  { text, status, ...period }: OrderFilter,
  max: number,
): Promise<{ readonly ids: readonly string[]; readonly isAll: boolean }> {
  const ids: string[] = []
  let before: string | null = null
  if (status !== undefined && status !== 'paid') return { ids, isAll: true }
  do {
    const wanted = { ...period, status: 'paid' as const, limit: 100, ...(before !== null && { before }) }
    const page: Promise<Orders> =
      text === undefined
        ? api.GET('/order', { params: { query: wanted } })
        : api.POST('/order/search', { body: { ...wanted, text } })
    // Each page begins where the one before ends.
    // oxlint-disable-next-line no-await-in-loop
    const { orders, next } = await page
    ids.push(...orders.map(({ id }) => id))
    before = next
  } while (before !== null && ids.length < max)
  return { ids: ids.slice(0, max), isAll: before === null && ids.length <= max }
}
