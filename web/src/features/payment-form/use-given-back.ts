import { useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'

import { showToast } from '@/ui/toast'

import { useStandingForm, wayBack } from './draft'
import type { OwnAccount, PaymentValues } from './values'

interface GivenBackOptions {
  readonly notaryId: string
  /** The account that the form fills in. */
  readonly filledIn: OwnAccount
  /** A draft that was replaced as the form opened. */
  readonly replaced: PaymentValues | null
  readonly put: (earlier: PaymentValues) => void
}

/**
 * Returns a function that shows a message with an undo for values that have left the form. The undo also works from another page:
 * it leads back to the form.
 */
export function useGivenBack({ notaryId, filledIn, replaced, put }: GivenBackOptions) {
  const { t } = useLingui()
  const navigate = useNavigate()
  useStandingForm(notaryId, put)

  function offerBack(text: string, earlier: PaymentValues) {
    const putBack = wayBack(notaryId, earlier, filledIn)
    const onSelect = () => {
      if (putBack() === 'kept') void navigate({ to: '/' })
    }
    showToast({ text, action: { label: t`Повернути`, onSelect } })
  }

  const tellReplaced = useEffectEvent(() => {
    if (replaced !== null) offerBack(t`Раніше введені дані замінено`, replaced)
  })
  useEffect(() => tellReplaced(), [])

  return offerBack
}
