import { useLingui } from '@lingui/react/macro'
import { useEffect, useEffectEvent } from 'react'

import { useGivenBack } from '@/forms/given-back'

import { keepPayment } from './draft'
import type { OwnAccount, PaymentValues } from './values'

/**
 * What gives values back to the form. `filledIn` is the account that the form fills in, `replaced` a draft that was replaced as the form
 * opened.
 */
export function usePaymentBack(
  notaryId: string,
  filledIn: OwnAccount,
  replaced: PaymentValues | null,
  put: (earlier: PaymentValues) => void,
) {
  const { t } = useLingui()
  const back = useGivenBack(`payment ${notaryId}`, '/', t`Повернути`, put, (earlier) =>
    keepPayment(notaryId, earlier, filledIn),
  )

  const tellReplaced = useEffectEvent(() => {
    if (replaced !== null) back.offerBack(t`Раніше введені дані замінено`, replaced)
  })
  useEffect(() => tellReplaced(), [])

  return back
}
