import { useQuery, type QueryClient, type UseQueryResult } from '@tanstack/react-query'

import {
  optionTermsQuery,
  paymentTypeFieldsQuery,
  requisitesQuery,
  type Requisite,
  templatesQuery,
} from '@/api/payment-types'
import type { PaymentKind } from '@/lib/commission'

import type { List, PaymentLists } from './list'
import type { FeeYearProps } from './stale-fee/stale-fee'
import { hasListedRecipient, hasTerms, withTerm, type PaymentValues } from './values'

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

/** How the chosen fee is that of an earlier year, or soon will be; null where it is of this one, or nothing is chosen. */
export function feeYearOf({ optionId, termId }: PaymentValues, lists: PaymentLists): FeeYearProps | null {
  const term = lists.terms.entries.find(({ id }) => id === termId)
  const option = lists.options.entries.find(({ id }) => id === optionId)
  const stale = term?.stale ?? option?.additional_data.stale ?? null
  const outdatedFrom = term?.outdated_from ?? option?.additional_data.outdated_from ?? null
  return stale === null && outdatedFrom === null ? null : { stale, outdatedFrom }
}

/** The parameters of the list of recipients; null while one of them is not chosen. */
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
 * The lists of the chosen kind. The key of each query has all its parameters, so a late answer to an earlier choice is not
 * shown for a later one.
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
  // Without them the operator's templates are offered.
  const own = useQuery({
    queryKey: ['book', 'recipients', 'templates'],
    queryFn: async ({ client }) => (await import('./requisites/part')).ownTemplates(client),
    enabled: kind === 'requisites_payment',
  })
  return {
    options: listOf(fields, (answer) => answer.options),
    regions: listOf(fields, (answer) => answer.regions),
    terms: listOf(terms, (answer) => answer),
    requisites: listOf(requisites, (answer) => answer),
    templates: listOf(templates, (answer) => [...(own.data ?? []), ...answer.requisites_templates]),
  }
}

/** The name of a recipient without the budget code at its end: a district has one account for each code. */
const districtOf = ({ name }: Requisite) => name.replace(/\s*\/\s*\d{8}$/u, '')

/** The only recipient of the same district. */
function sameDistrict(offered: readonly Requisite[], before: Requisite | undefined): Requisite | undefined {
  if (before === undefined) return undefined
  const [found, ...others] = offered.filter((each) => districtOf(each) === districtOf(before))
  return others.length === 0 ? found : undefined
}

/**
 * Chooses what was chosen the last time where an option is `fresh`, and the only term of an option and the only recipient of a
 * region, or that of the same district as `before`. Returns a change of the values that does nothing where the choices have changed meanwhile. Failures are ignored: the
 * select shows them.
 */
export async function likelyChoices(
  client: QueryClient,
  kind: PaymentKind,
  asked: PaymentValues,
  fresh: boolean,
  before?: Requisite,
): Promise<(current: PaymentValues) => PaymentValues> {
  let values = asked
  try {
    if (fresh) values = await (await import('./requisites/part')).withLastChoices(client, kind, asked)
    if (hasTerms(kind) && values.optionId !== '' && values.termId === '') {
      const [term, ...others] = await client.fetchQuery(optionTermsQuery(values.optionId))
      if (term !== undefined && others.length === 0) values = withTerm(values, term.id)
    }
    const choice = recipientChoice(kind, values)
    if (choice !== null && values.requisiteId === '') {
      const offered = await client.fetchQuery(requisitesQuery(choice))
      const [first, ...others] = offered
      const requisite = others.length === 0 ? first : sameDistrict(offered, before)
      if (requisite !== undefined) values = { ...values, requisiteId: requisite.id }
    }
  } catch {
    return (current) => current
  }
  const { termId, regionId, requisiteId } = values
  return (current) => {
    const same =
      current.paymentTypeId === asked.paymentTypeId &&
      current.optionId === asked.optionId &&
      current.termId === asked.termId &&
      current.regionId === asked.regionId &&
      current.requisiteId === asked.requisiteId
    return same ? { ...current, termId, regionId, requisiteId } : current
  }
}
