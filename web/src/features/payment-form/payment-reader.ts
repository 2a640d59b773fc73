import type { QueryClient } from '@tanstack/react-query'

import { templatesQuery, type PaymentType } from '@/api/payment-types'
import type { User } from '@/api/user'

import { lateRules } from './later-parts'
import { readPayment, type ShownPrice } from './read-payment'
import type { PaymentValues } from './values'

/** Returns what reads the values of a form, with what is loaded by then. */
export function paymentReader(queryClient: QueryClient, types: readonly PaymentType[], user: User) {
  const kindOf = (values: PaymentValues) => types.find(({ id }) => id === values.paymentTypeId)?.slug ?? null
  const readerWith = (price: ShownPrice | null) => (values: PaymentValues) =>
    readPayment(values, {
      kind: kindOf(values),
      notary: user,
      requisites: queryClient.getQueryData(templatesQuery().queryKey) ?? null,
      readTypedRecipient: lateRules()?.readTypedRecipient ?? null,
      price,
    })
  return { kindOf, readerWith }
}
