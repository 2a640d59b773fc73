import { useMemo } from 'react'

import type { DealKind } from '@/api/deals'

import { useRecipients } from './recipients'
import { usePayments } from './use-payments'
import { factsOf, KIND, linesOf, sumsNeeded, valueOf, type DealValues } from './values'

/** What follows from the values of the form: the kind of the deal, its payments, and whom they go to. */
export function useReckoning(kinds: readonly DealKind[], values: DealValues) {
  const kind = kinds.find(({ id }) => id === valueOf(values, KIND)) ?? null
  const facts = useMemo(() => (kind === null ? null : factsOf(kind, values)), [kind, values])
  const calculation = usePayments(facts)
  const needed = sumsNeeded(kind, calculation.failure)
  const lines = useMemo(() => linesOf(calculation.payments ?? [], values), [calculation.payments, values])
  const recipients = useRecipients(lines, values)
  const { region, chosen } = recipients
  return { kind, facts, needed, calculation, lines, recipients, region, chosen }
}
