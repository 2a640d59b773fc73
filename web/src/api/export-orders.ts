import { documents } from './client'
import type { OrderFilter } from './orders'
import type { LoadedFile } from './receipts'

/** The file name from the `Content-Disposition` header; `other` if there is none or it contains a path. */
export function fileNameOf(response: Response, other: string): string {
  const disposition = response.headers.get('content-disposition') ?? ''
  return /filename="([^"/\\]+)"/u.exec(disposition)?.[1] ?? other
}

/** All payments that match a filter of the archive, as a spreadsheet. */
export async function exportOrders(filter: OrderFilter): Promise<LoadedFile> {
  const answer = await documents.POST('/order/export', { body: filter })
  return { bytes: await answer.blob(), fileName: fileNameOf(answer, 'Archive.xlsx') }
}
