import { useQuery, useQueryClient } from '@tanstack/react-query'

import type { DealWay } from '@/api/deals'
import {
  paymentTypeFieldsQuery,
  requisitesQuery,
  templatesQuery,
  type RecipientChoice,
  type Region,
  type Requisite,
  type RequisitesTemplate,
} from '@/api/payment-types'

import { recipientField, REGION, valueOf, type DealLine, type DealValues } from './values'

/** The fees, whose recipients are chosen. */
type FeeWay = Extract<DealWay, { way: 'fee' | 'register' }>

export function feeWayOf({ way }: DealLine): FeeWay | null {
  return way !== null && (way.way === 'fee' || way.way === 'register') ? way : null
}

/** The region: the chosen one, or that of the notary's latest fees. */
export function regionOf(lines: readonly DealLine[], values: DealValues): string {
  const chosen = valueOf(values, REGION)
  if (chosen !== '') return chosen
  const last = lines.map((line) => feeWayOf(line)?.last?.payment_type_region_id)
  return last.find((region) => region !== undefined) ?? ''
}

/** The recipient of a fee: the chosen one, that of the latest such fee, or the only one there is. */
export function recipientOf(line: DealLine, values: DealValues, listed: readonly Requisite[]): string {
  const wanted = [
    valueOf(values, recipientField(line.payment.id)),
    feeWayOf(line)?.last?.payment_type_requisite_id ?? '',
    listed.length === 1 ? (listed[0]?.id ?? '') : '',
  ]
  return wanted.find((id) => listed.some((requisite) => requisite.id === id)) ?? ''
}

export interface Recipients {
  readonly regions: readonly Region[]
  readonly region: string
  /** The recipients of each fee, by the id of its payment. */
  readonly listed: ReadonlyMap<string, readonly Requisite[]>
  /** The chosen recipient of each fee, by the id of its payment; empty while there is none. */
  readonly chosen: ReadonlyMap<string, string>
  readonly templates: readonly RequisitesTemplate[]
  readonly loading: boolean
  readonly failure: Error | null
  readonly retry: () => void
}

/** Whom the payments of a deal go to. */
export function useRecipients(lines: readonly DealLine[], values: DealValues): Recipients {
  const queryClient = useQueryClient()
  const fees = lines.filter((line) => feeWayOf(line) !== null)
  const [firstFee] = fees.map(feeWayOf)
  const fields = useQuery({
    ...paymentTypeFieldsQuery(firstFee?.payment_type.id ?? ''),
    enabled: firstFee !== undefined,
  })
  const region = regionOf(lines, values)
  const choices = fees.map((line): RecipientChoice => {
    const way = feeWayOf(line)
    const termId = way?.way === 'fee' ? way.term.id : null
    return { paymentTypeId: way?.payment_type.id ?? '', regionId: region, termId }
  })
  const requisites = useQuery({
    queryKey: ['deal', 'recipients', choices],
    queryFn: () => Promise.all(choices.map((choice) => queryClient.fetchQuery(requisitesQuery(choice)))),
    enabled: region !== '' && choices.length > 0,
  })
  const templates = useQuery({
    ...templatesQuery(),
    enabled: lines.some(({ way }) => way?.way === 'template'),
  })
  const listed = new Map(fees.map(({ payment }, index) => [payment.id, requisites.data?.[index] ?? []]))
  const all = [fields, templates, requisites]
  return {
    regions: fields.data?.regions ?? [],
    region,
    listed,
    chosen: new Map(
      fees.map((line) => [line.payment.id, recipientOf(line, values, listed.get(line.payment.id) ?? [])]),
    ),
    templates: templates.data?.requisites_templates ?? [],
    loading: all.some((query) => query.isLoading),
    failure: all.find((query) => !query.isFetching && query.error !== null)?.error ?? null,
    retry: () => all.filter(({ isError }) => isError).forEach((query) => void query.refetch()),
  }
}
