import { documents } from './client'
import type { OrderFilter } from './orders'
import type { Receipt } from './receipts'

/** The name that the server gave a document; a document without one, or with a path in it, gets the other. */
function fileNameOf(response: Response, other: string): string {
  const disposition = response.headers.get('content-disposition') ?? ''
  return /filename="([^"/\\]+)"/u.exec(disposition)?.[1] ?? other
}

/** Every payment that a filter of the archive finds, as a table for a spreadsheet program. */
export async function exportOrders(filter: OrderFilter): Promise<Receipt> {
  const answer = await documents.POST('/order/export', { body: filter })
  return { bytes: await answer.blob(), fileName: fileNameOf(answer, 'Archive.xlsx') }
}
