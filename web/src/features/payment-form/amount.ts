import type { OptionTerm, PaymentTypeOption } from '@/api/payment-types'
import type { PaymentKind } from '@/lib/commission'
import { fromHryvnias, type Kopiykas } from '@/lib/money'
import { parseMoney } from '@/lib/money-typed'

import type { PaymentValues } from './values'

/** Whether two payments have the same price on any day. Client and recipient do not matter to it. */
export function haveSamePrice(one: PaymentValues, other: PaymentValues): boolean {
  return (['paymentTypeId', 'optionId', 'termId', 'amount'] as const).every(
    (name) => one[name] === other[name],
  )
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
      return term === undefined ? null : fromHryvnias(term.tax)
    }
    case 'registry_payment': {
      const tariff = lists.options.find(({ id }) => id === values.optionId)?.additional_data.tariff
      return tariff === undefined || tariff === null ? null : fromHryvnias(tariff)
    }
    case 'requisites_payment': {
      const amount = parseMoney(values.amount)
      return amount.ok ? amount.value : null
    }
  }
}
