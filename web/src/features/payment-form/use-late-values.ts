import { useState } from 'react'

import type { RequisitesTemplate } from '@/api/payment-types'

import { withClient } from './template'
import { withFilledAccount, type OwnAccount, type PaymentClient, type PaymentFields } from './values'

/** Keeps an account that was filled in from the profile equal to it. One that was typed stays. */
export function useProfileAccount(form: PaymentFields, account: OwnAccount): void {
  const [filledIn, setFilledIn] = useState(account)
  if (filledIn.ownIban === account.ownIban && filledIn.ownOkpo === account.ownOkpo) return
  setFilledIn(account)
  form.change((current) => withFilledAccount(current, filledIn, account))
}

/**
 * Updates a purpose that a template filled for an earlier client, or for none, to the client of the form, once the template is
 * loaded.
 */
export function usePurposeOfClient(
  form: PaymentFields,
  purposeFor: PaymentClient,
  template: RequisitesTemplate | undefined,
): void {
  const [behind, setBehind] = useState<PaymentClient | null>(purposeFor)
  if (template === undefined || behind === null) return
  setBehind(null)
  form.change((current) => {
    const { clientName, clientCode } = current
    const earlier = { clientName: behind.clientName, clientCode: behind.clientCode }
    return withClient({ ...current, ...earlier }, { clientName, clientCode }, template)
  })
}
