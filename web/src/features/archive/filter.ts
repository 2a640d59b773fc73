import type { HistoryState } from '@tanstack/react-router'
import type { OrderFilter } from '@/api/orders'
import { orderStatuses, type OrderStatus } from '@/lib/order-statuses'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /**
     * What the archive was searched for, part of a client's name or code, and by whom. It stands in the entry of the
     * browser's history, so that Back restores it, for the same notary alone, and in no address.
     */
    archiveSearch?: { readonly notaryId: string; readonly text: string }
  }
}

/** The part of the filter that the address keeps: its search parameters, validated by the route. */
export interface ArchiveSearch {
  readonly status?: OrderStatus
  /** First and last day, `YYYY-MM-DD`, Kyiv. */
  readonly from?: string
  readonly to?: string
}

/** What this notary searched for in an entry of the history. */
export function textOf({ archiveSearch }: HistoryState, notaryId: string): string | undefined {
  return archiveSearch?.notaryId === notaryId ? archiveSearch.text : undefined
}

/** The filter of the page, from the address and the entry of the history. */
export function filterOf({ status, from, to }: ArchiveSearch, text: string | undefined): OrderFilter {
  const sought = text?.trim() ?? ''
  return {
    ...(status !== undefined && { status }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(sought !== '' && { text: sought }),
  }
}

export function isFiltered(filter: OrderFilter): boolean {
  return Object.keys(filter).length > 0
}

/** The status that a select's value names; undefined for all of them. */
export function statusOf(value: string): OrderStatus | undefined {
  return orderStatuses.find((status) => status === value)
}

/** The address with one part of the filter changed; an empty part is left out. */
export function withPart(
  filter: ArchiveSearch,
  part: 'status' | 'from' | 'to',
  value: string,
): ArchiveSearch {
  const { [part]: _before, ...others } = filter
  if (value === '') return others
  if (part !== 'status') return { ...others, [part]: value }
  const status = statusOf(value)
  return status === undefined ? others : { ...others, status }
}
