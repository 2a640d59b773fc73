import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

import { dealPaymentsQuery, type DealFacts, type DealPayment } from '@/api/deals'

/** How long the facts stay the same before they are calculated: sums are typed digit by digit. */
const SETTLED_MILLISECONDS = 250

const NO_FACTS: DealFacts = { kind_id: '', answers: {} }

const isSameDeal = (one: DealFacts | null, other: DealFacts | null) =>
  JSON.stringify(one) === JSON.stringify(other)

interface Payments {
  readonly payments: readonly DealPayment[] | null
  /** The payments are those of an earlier state of the deal, or there are none yet. */
  readonly waiting: boolean
  readonly failure: Error | null
  readonly retry: () => void
}

/** The payments of the deal, calculated while it is typed. Those of an earlier state stay until the next ones have come. */
export function usePayments(facts: DealFacts | null): Payments {
  const [asked, setAsked] = useState(facts)
  const settled = isSameDeal(asked, facts)
  useEffect(() => {
    if (settled) return undefined
    const timer = setTimeout(() => setAsked(facts), SETTLED_MILLISECONDS)
    return () => clearTimeout(timer)
  }, [settled, facts])
  const query = useQuery({
    ...dealPaymentsQuery(asked ?? NO_FACTS),
    enabled: asked !== null,
    placeholderData: (earlier, { queryKey } = {} as never) =>
      (queryKey?.[2] as DealFacts | undefined)?.kind_id === asked?.kind_id ? earlier : undefined,
  })
  const isOfKind = facts !== null && asked?.kind_id === facts.kind_id
  return {
    payments: isOfKind ? (query.data ?? null) : null,
    waiting: facts !== null && (!settled || query.isFetching || query.isPlaceholderData),
    failure: settled && facts !== null && !query.isFetching ? query.error : null,
    retry: () => void query.refetch(),
  }
}
