/**
 * Reads the search parameters of the addresses. Unknown and malformed ones are dropped: an address comes from outside,
 * and a bad one must open the page, not break it.
 */
import type { ArchiveSearch } from '@/features/archive/filter'
import type { ReportSearch } from '@/features/reports/periods'
import type { ArrivingClient } from '@/lib/arriving-client'
import { orderStatuses } from '@/lib/order-statuses'

export interface PaymentSearch {
  /** Prefill the form from an earlier order item. */
  readonly repeat_item_id?: string
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

export function paymentSearch(search: Record<string, unknown>): PaymentSearch {
  const repeat = text(search['repeat_item_id'])
  return repeat === '' ? {} : { repeat_item_id: repeat }
}

/** The client to prefill the form with. Null without a name and a code. */
export function clientIn(search: Record<string, unknown>): ArrivingClient | null {
  const given = search['client']
  if (typeof given !== 'object' || given === null) return null
  const inn = text('inn' in given ? given.inn : '')
  const fullName = text('full_name' in given ? given.full_name : '')
  return inn === '' && fullName === '' ? null : { inn, full_name: fullName }
}

/** A valid calendar date, `YYYY-MM-DD`; null for anything else. */
function day(value: unknown): string | null {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/u.test(value)) return null
  const date = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value) ? value : null
}

/** The days of a period that are dates. */
function period(search: Record<string, unknown>) {
  const from = day(search['from'])
  const to = day(search['to'])
  return { ...(from && { from }), ...(to && { to }) }
}

/** Ids with points between them, so many that an address holds them. */
const IDS = /^[\w-]{1,64}(?:\.[\w-]{1,64}){0,19}$/u

export function archiveSearch(search: Record<string, unknown>): ArchiveSearch {
  const status = orderStatuses.find((known) => known === search['status'])
  const open = text(search['open'])
  return { ...(status && { status }), ...period(search), ...(IDS.test(open) && { open }) }
}

export const reportSearch = (search: Record<string, unknown>): ReportSearch => ({
  ...period(search),
  ...(search['by'] === 'crediting' && { by: 'crediting' as const }),
})
