import { useQuery, type QueryClient, type UseQueryResult } from '@tanstack/react-query'

import {
  optionTermsQuery,
  paymentTypeFieldsQuery,
  requisitesQuery,
  templatesQuery,
  type OptionTerm,
  type PaymentTypeOption,
  type Region,
  type Requisite,
  type RequisitesTemplate,
} from '@/api/payment-types'
import type { PaymentKind } from '@/lib/commission'

import { hasListedRecipient, hasTerms, withTerm, type PaymentValues } from './values'

/** A list that a select shows, on its way, there, or failed. */
export interface List<Entry> {
  readonly entries: readonly Entry[]
  readonly loading: boolean
  /** What went wrong; null where nothing did, or another try is under way. */
  readonly failure: Error | null
  /** Another try after a failure is under way. */
  readonly retrying: boolean
  readonly retry: () => void
}

function listOf<Answer, Entry>(
  query: UseQueryResult<Answer>,
  entries: (answer: Answer) => readonly Entry[],
): List<Entry> {
  return {
    entries: query.data === undefined ? [] : entries(query.data),
    loading: query.isFetching && query.data === undefined,
    retrying: query.isFetching && query.data === undefined && query.errorUpdateCount > 0,
    failure: query.isFetching ? null : query.error,
    retry: () => void query.refetch(),
  }
}

export interface PaymentLists {
  readonly options: List<PaymentTypeOption>
  readonly regions: List<Region>
  readonly terms: List<OptionTerm>
  readonly requisites: List<Requisite>
  readonly templates: List<RequisitesTemplate>
}

/** What the choice of a recipient depends on, or null while a part of it is open. */
function recipientChoice(kind: PaymentKind, values: PaymentValues) {
  if (values.regionId === '') return null
  if (hasTerms(kind) && (values.optionId === '' || values.termId === '')) return null
  return {
    paymentTypeId: values.paymentTypeId,
    regionId: values.regionId,
    termId: hasTerms(kind) ? values.termId : null,
  }
}

/**
 * The lists of the chosen kind. Each is asked for by what it depends on, so that a slower answer to an earlier choice
 * can never stand in the place of a later one.
 */
export function usePaymentLists(kind: PaymentKind | null, values: PaymentValues): PaymentLists {
  const listed = kind !== null && hasListedRecipient(kind)
  const fields = useQuery({ ...paymentTypeFieldsQuery(values.paymentTypeId), enabled: listed })
  const terms = useQuery({
    ...optionTermsQuery(values.optionId),
    enabled: kind !== null && hasTerms(kind) && values.optionId !== '',
  })
  const choice = listed ? recipientChoice(kind, values) : null
  const requisites = useQuery({
    ...requisitesQuery(choice ?? { paymentTypeId: '', regionId: '', termId: null }),
    enabled: choice !== null,
  })
  const templates = useQuery({ ...templatesQuery(), enabled: kind === 'requisites_payment' })
  return {
    options: listOf(fields, (answer) => answer.options),
    regions: listOf(fields, (answer) => answer.regions),
    terms: listOf(terms, (answer) => answer),
    requisites: listOf(requisites, (answer) => answer),
    templates: listOf(templates, (answer) => answer),
  }
}

/**
 * Chooses what leaves no choice: the only term of an option, the only recipient of a region. Answers a change that
 * holds only where the notary has not gone on meanwhile. A failure is silent here: the select itself shows it.
 */
export async function soleChoices(
  client: QueryClient,
  kind: PaymentKind,
  asked: PaymentValues,
): Promise<(current: PaymentValues) => PaymentValues> {
  let values = asked
  try {
    if (hasTerms(kind) && values.optionId !== '' && values.termId === '') {
      const [term, ...others] = await client.fetchQuery(optionTermsQuery(values.optionId))
      if (term !== undefined && others.length === 0) values = withTerm(values, term.id)
    }
    const choice = recipientChoice(kind, values)
    if (choice !== null && values.requisiteId === '') {
      const [requisite, ...others] = await client.fetchQuery(requisitesQuery(choice))
      if (requisite !== undefined && others.length === 0) values = { ...values, requisiteId: requisite.id }
    }
  } catch {
    return (current) => current
  }
  const { termId, requisiteId } = values
  return (current) => {
    const same =
      current.paymentTypeId === asked.paymentTypeId &&
      current.optionId === asked.optionId &&
      current.termId === asked.termId &&
      current.regionId === asked.regionId &&
      current.requisiteId === asked.requisiteId
    return same ? { ...current, termId, requisiteId } : current
  }
}
