/**
 * The payment of several clients one after the other, as it outlasts a reload: the ids of clients, payments and orders, in their order.
 * Neither names nor sums nor the card are stored.
 */
import { forgetInTab, keepInTab, keptInTab } from '@/lib/tab-storage'

export interface KeptRow {
  readonly clientId: string
  /** The ids and counts of the items (`contentsOf`). */
  readonly contents: string
  /** Null until the order is known. */
  readonly orderId: string | null
}

const NAME = 'pay-all'

const isRow = (value: unknown): value is KeptRow =>
  typeof value === 'object' &&
  value !== null &&
  'clientId' in value &&
  typeof value.clientId === 'string' &&
  'contents' in value &&
  typeof value.contents === 'string' &&
  'orderId' in value &&
  (value.orderId === null || typeof value.orderId === 'string')

/** Returns the rows of an interrupted payment of this notary, or null. */
export function keptRun(notaryId: string): readonly KeptRow[] | null {
  const rows = keptInTab(NAME, notaryId)
  return Array.isArray(rows) && rows.length > 0 && rows.every(isRow) ? rows : null
}

export function keepRun(notaryId: string, rows: readonly KeptRow[]): void {
  keepInTab(NAME, notaryId, rows)
}

export function forgetRun(): void {
  forgetInTab(NAME)
}
