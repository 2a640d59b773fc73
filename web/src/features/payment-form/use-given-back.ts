import { useLingui } from '@lingui/react/macro'
import { useLayoutEffect } from 'react'

import { draftOf, keepDraft } from '@/forms/draft'
import { useGivenBack } from '@/forms/given-back'

import { keepPayment, replacedDraft } from './draft'
import type { OwnAccount, PaymentValues } from './values'

/**
 * What gives values back to the form. `filledIn` is the account that the form fills in, `replaced` a draft that was replaced as the form
 * opened: it is kept for the notice that gives it back.
 */
export function usePaymentBack(
  notaryId: string,
  filledIn: OwnAccount,
  replaced: PaymentValues | null,
  put: (earlier: PaymentValues) => void,
) {
  const { t } = useLingui()
  // Before the effects of the notice, which keeps what it shows.
  useLayoutEffect(() => {
    if (replaced) keepDraft(replacedDraft, notaryId, [replaced, draftOf(replacedDraft, notaryId)])
  }, [notaryId, replaced])

  return useGivenBack(`payment ${notaryId}`, '/', t`Повернути`, put, (earlier) =>
    keepPayment(notaryId, earlier, filledIn),
  )
}
