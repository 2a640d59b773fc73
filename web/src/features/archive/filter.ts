import type { OrderFilter } from '@/api/orders'
import { orderStatuses, type OrderStatus } from '@/lib/order-statuses'

/** The part of the filter that the address keeps: its search parameters, validated by the route. */
export interface ArchiveSearch {
  readonly status?: OrderStatus
  /** First and last day, `YYYY-MM-DD`, Kyiv. */
  readonly from?: string
  readonly to?: string
  /** The ids of the opened orders, with points between them. */
  readonly open?: string | undefined
}

/** Rows that the address keeps opened at most. */
const OPENED_MAX = 20

export const openedIn = ({ open }: Pick<ArchiveSearch, 'open'>): readonly string[] => open?.split('.') ?? []

/** Returns the search with an order opened, or closed where it was opened. The latest ones are kept. */
export function withToggled({ open, ...others }: ArchiveSearch, id: string): ArchiveSearch {
  const before = openedIn({ open })
  const next = before.includes(id) ? before.filter((each) => each !== id) : [...before, id].slice(-OPENED_MAX)
  return next.length === 0 ? others : { ...others, open: next.join('.') }
}

/** The filter from the address and the searched text. */
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

/** The status of a select's value; undefined for "all". */
function statusOf(value: string): OrderStatus | undefined {
  return orderStatuses.find((status) => status === value)
}

/** Returns the search with one part changed; an empty part is removed. */
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
