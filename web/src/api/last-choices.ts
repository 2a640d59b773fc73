import { queryOptions } from '@tanstack/react-query'

import { api } from './client'

/** What the notary chose the last time for a fee of a kind and an option. */
export const lastChoicesQuery = (paymentTypeId: string, optionId: string) =>
  queryOptions({
    queryKey: ['payment-types', 'last-choices', paymentTypeId, optionId],
    queryFn: ({ signal }) => {
      const query = { payment_type_id: paymentTypeId, payment_type_option_id: optionId }
      return api.GET('/payment-types/last-choices', { params: { query }, signal })
    },
    // The payment that was added last may have changed them.
    staleTime: 0,
    retry: false,
  })
