import type { QueryClient } from '@tanstack/react-query'

import { lastChoicesQuery } from '@/api/last-choices'
import { optionTermsQuery } from '@/api/payment-types'
import type { PaymentKind } from '@/lib/commission'

import { hasTerms, type PaymentValues } from './values'

/**
 * Fills in the term, the region and the recipient of the latest fee, where nothing is chosen yet. Failures are ignored: the lists are
 * there.
 */
export async function withLastChoices(
  client: QueryClient,
  kind: PaymentKind,
  values: PaymentValues,
): Promise<PaymentValues> {
  const { paymentTypeId, optionId } = values
  if (optionId === '' || values.requisiteId !== '') return values
  try {
    const last = await client.fetchQuery(lastChoicesQuery(paymentTypeId, optionId))
    const termId = values.termId === '' ? (last.payment_type_option_term_id ?? '') : values.termId
    const isLastTerm = !hasTerms(kind) || termId === last.payment_type_option_term_id
    const regionId = values.regionId === '' ? (last.payment_type_region_id ?? '') : values.regionId
    const isLastRegion = regionId === last.payment_type_region_id
    const requisiteId = isLastTerm && isLastRegion ? (last.payment_type_requisite_id ?? '') : ''
    // The list of the terms is needed anyway, and the server may know a term that the list does not offer any more.
    const isOffered =
      !hasTerms(kind) ||
      termId === '' ||
      (await client.fetchQuery(optionTermsQuery(optionId))).some(({ id }) => id === termId)
    return isOffered ? { ...values, termId, regionId, requisiteId } : { ...values, regionId }
  } catch {
    return values
  }
}
