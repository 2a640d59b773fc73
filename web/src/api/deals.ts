import { queryOptions } from '@tanstack/react-query'

import { api, documents } from './client'
import type { LoadedFile } from './receipts'
import type { components } from './schema'

export type DealKind = components['schemas']['DealKind']
export type DealKinds = components['schemas']['DealKinds']
export type DealQuestion = components['schemas']['DealQuestion']
export type DealPayment = components['schemas']['DealPayment']
export type DealParty = components['schemas']['DealParty']
export type DealSum = components['schemas']['DealSum']

export type DealWay = components['schemas']['DealWay']
export type AddDealRequest = components['schemas']['AddDealRequest']

export type DealShare = components['schemas']['DealShare']

/** What a calculation needs to know of a deal. */
export interface DealFacts {
  readonly kind_id: string
  readonly price?: number
  readonly valuation?: number
  readonly building_price?: number
  readonly costs?: number
  readonly objects?: number
  readonly owners?: number
  readonly payers?: DealShare[]
  readonly answers: { readonly [question: string]: string }
}

export const dealKindsQuery = () =>
  queryOptions({
    queryKey: ['deal', 'kinds'],
    queryFn: ({ signal }) => api.GET('/deal/kinds', { signal }),
    staleTime: 5 * 60_000,
  })

/** The payments of a deal. The key has all its facts, so a late answer is not shown for another deal. */
export const dealPaymentsQuery = (facts: DealFacts) =>
  queryOptions({
    queryKey: ['deal', 'payments', facts],
    queryFn: async ({ signal }) =>
      (await api.POST('/deal/calculate', { body: { ...facts }, signal })).payments,
    staleTime: 60_000,
  })

/** Adds the payments of a deal once for each key: after a lost answer the call is repeated with the same key. */
export const addDealToCart = (body: AddDealRequest, key: string) =>
  api.POST('/deal/cart', { body, headers: { 'Idempotency-Key': key } })

/** The calculation of a deal that is not in the cart. */
export async function dealCalculation(body: AddDealRequest): Promise<LoadedFile> {
  const answer = await documents.POST('/deal/calculation', { body })
  return { bytes: await answer.blob(), fileName: 'Deal.pdf' }
}
