import type { NextYearFee, OptionTerm, PaymentTypeOption } from '@/api/payment-types'
import type { PaymentKind } from '@/lib/commission'
import { fromHryvnias, type Kopiykas } from '@/lib/money'

import { lateRules } from './later-parts'
import type { PaymentValues } from './values'

/** Whether two payments have the same price on any day. Client and recipient do not matter to it. */
export function haveSamePrice(one: PaymentValues, other: PaymentValues): boolean {
  return (['paymentTypeId', 'optionId', 'termId', 'filingYear', 'amount'] as const).every(
    (name) => one[name] === other[name],
  )
}

/** The fee of the next year for the chosen service; null while it does not differ, is not known or may not be chosen yet. */
export function nextYearFee(
  { optionId, termId }: PaymentValues,
  lists: { readonly options: readonly PaymentTypeOption[]; readonly terms: readonly OptionTerm[] },
): NextYearFee | null {
  const term = lists.terms.find(({ id }) => id === termId)
  const option = lists.options.find(({ id }) => id === optionId)
  return term?.next_year ?? option?.additional_data.next_year ?? null
}

/** The fee of the chosen year: of the next one only where it is chosen. */
function inChosenYear(thisYear: number, next: NextYearFee | null, values: PaymentValues): Kopiykas {
  const isNext = next !== null && values.filingYear === String(next.year)
  return fromHryvnias(isNext ? next.amount : thisYear)
}

/** The amount for the recipient, for one unit (specification, point 9). Null while it is not known. */
export function amountOf(
  kind: PaymentKind,
  values: PaymentValues,
  lists: { readonly options: readonly PaymentTypeOption[]; readonly terms: readonly OptionTerm[] },
): Kopiykas | null {
  switch (kind) {
    case 'admin_payment':
    case 'admin_government_payment': {
      const term = lists.terms.find(({ id }) => id === values.termId)
      return term === undefined ? null : inChosenYear(term.tax, term.next_year, values)
    }
    case 'registry_payment': {
      const option = lists.options.find(({ id }) => id === values.optionId)?.additional_data
      if (option === undefined || option.tariff === null) return null
      return inChosenYear(option.tariff, option.next_year, values)
    }
    case 'requisites_payment': {
      const amount = lateRules()?.parseMoney(values.amount)
      return amount?.ok === true ? amount.value : null
    }
  }
}
