import type { OrderFilter } from '@/api/orders'
import { ORDER_STATUSES, type OrderStatus } from '@/lib/order-status'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /**
     * What the archive was searched for, part of a client's name or code, and by whom. It stands in the entry of the
     * browser's history, so that Back restores it, for the same notary alone, and in no address.
     */
    archiveSearch?: { readonly notaryId: string; readonly text: string }
  }
}

/** What of the filter the address keeps. */
export interface AddressFilter {
  readonly status?: OrderStatus
  readonly from?: string
  readonly to?: string
}

/** The filter of the page, out of the address and the entry of the history. */
export function filterOf({ status, from, to }: AddressFilter, text: string | undefined): OrderFilter {
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
  return ORDER_STATUSES.find((status) => status === value)
}

/** The address with one part of the filter changed; an empty part is left out. */
export function withPart(
  filter: AddressFilter,
  part: 'status' | 'from' | 'to',
  value: string,
): AddressFilter {
  const { [part]: _before, ...others } = filter
  if (value === '') return others
  if (part !== 'status') return { ...others, [part]: value }
  const status = statusOf(value)
  return status === undefined ? others : { ...others, status }
}
