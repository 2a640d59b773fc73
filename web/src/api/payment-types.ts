import { queryOptions } from '@tanstack/react-query'

import { api } from './client'
import type { components } from './schema'

export type PaymentType = components['schemas']['PaymentType']
export type PaymentTypeOption = components['schemas']['PaymentTypeOption']
export type Region = components['schemas']['Region']
export type OptionTerm = components['schemas']['OptionTerm']
export type StaleFee = components['schemas']['StaleFee']
export type NextYearFee = components['schemas']['NextYearFee']
export type Requisite = components['schemas']['Requisite']
export type RequisitesTemplate = components['schemas']['RequisitesTemplate']
export type RequisitesTemplates = components['schemas']['RequisitesTemplates']

/** Reference data changes at most daily; a list read a few minutes ago is still the list. */
const LISTS_FRESH_MS = 5 * 60_000

export const paymentTypesQuery = () =>
  queryOptions({
    queryKey: ['payment-types'],
    queryFn: async ({ signal }) => (await api.GET('/payment-types', { signal })).payment_types,
    staleTime: LISTS_FRESH_MS,
  })

/** The options and regions of a payment type. */
export const paymentTypeFieldsQuery = (paymentTypeId: string) =>
  queryOptions({
    queryKey: ['payment-types', 'fields', paymentTypeId],
    queryFn: ({ signal }) =>
      api.GET('/payment-types/fields', { params: { query: { payment_type_id: paymentTypeId } }, signal }),
    staleTime: LISTS_FRESH_MS,
  })

export const optionTermsQuery = (optionId: string) =>
  queryOptions({
    queryKey: ['payment-types', 'terms', optionId],
    queryFn: async ({ signal }) => {
      const query = { payment_type_option_id: optionId }
      return (await api.GET('/payment-types/option/terms', { params: { query }, signal })).terms
    },
    staleTime: LISTS_FRESH_MS,
  })

export interface RecipientChoice {
  readonly paymentTypeId: string
  readonly regionId: string
  /** Null for kinds without terms; with a term only recipients of its budget code are answered. */
  readonly termId: string | null
}

export const requisitesQuery = ({ paymentTypeId, regionId, termId }: RecipientChoice) =>
  queryOptions({
    queryKey: ['payment-types', 'requisites', paymentTypeId, regionId, termId],
    queryFn: async ({ signal }) => {
      const query = {
        payment_type_region_id: regionId,
        payment_type_id: paymentTypeId,
        ...(termId !== null && { payment_type_option_term_id: termId }),
      }
      return (await api.GET('/payment-types/region/requisites', { params: { query }, signal })).requisites
    },
    staleTime: LISTS_FRESH_MS,
  })

/** The templates, and the payment codes in force. */
export const templatesQuery = () =>
  queryOptions({
    queryKey: ['payment-types', 'templates'],
    queryFn: ({ signal }) => api.GET('/payment-types/requisites/templates', { signal }),
    staleTime: LISTS_FRESH_MS,
  })
