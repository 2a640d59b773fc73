import { Trans } from '@lingui/react/macro'
import { useState } from 'react'

import { draftOf, useDraft } from '@/forms/draft'
import { Button } from '@/ui/button'
import { focusHeading } from '@/ui/focus-heading'
import { Notice } from '@/ui/notice'

import type { Opening } from '../arrival'
import { readValues, replacedDraft } from '../draft'
import {
  EMPTY_PAYMENT,
  isSame,
  isWorthKeeping,
  NO_ACCOUNT,
  valuesOfClient,
  withFilledAccount,
  withPaymentType,
  type PaymentFields,
  type PaymentValues,
} from '../values'

interface ReplacedNoticeProps extends Opening {
  readonly types: readonly { readonly id: string }[]
  readonly user: { readonly id: string }
  readonly form: Pick<PaymentFields, 'values'>
  /** Puts values into the form. */
  readonly put: (values: PaymentValues) => void
}

/** Whether the form was opened for a known client and nothing was typed. */
function isUntouched(values: PaymentValues): boolean {
  const { clientName, clientCode, paymentTypeId } = values
  const client = valuesOfClient({ full_name: clientName, inn: clientCode })
  return isSame(values, { ...EMPTY_PAYMENT, ...client, paymentTypeId })
}

/**
 * Says that the form was opened with another payment than was being typed, and gives that one back. It stays until
 * the notary gives the other one up.
 */
export function ReplacedNotice(props: ReplacedNoticeProps) {
  const { initial, empty, user, put } = props
  const { values } = props.form
  const [kept, setKept] = useState(() => {
    const all = [props.replaced, draftOf(replacedDraft, user.id)]
      .flat(Infinity)
      .flatMap((one) => readValues(one) ?? [])
    // What was replaced as the form opened may be among the kept ones already.
    return all.filter((one, at) => !isUntouched(one) && all.findIndex((other) => isSame(one, other)) === at)
  })
  const [latest, ...others] = kept
  useDraft(replacedDraft, user.id, latest ? kept : null)
  if (!latest) return null

  function leave(next: readonly PaymentValues[]) {
    setKept([...next])
    // The pressed button disappears.
    focusHeading()
  }

  function giveBack(earlier: PaymentValues) {
    const isOffered = props.types.some(({ id }) => id === earlier.paymentTypeId)
    const offered = isOffered ? earlier : withPaymentType(earlier, empty.paymentTypeId)
    // What was typed since takes its place. Without a replaced draft the form was opened with what had been typed.
    const typed = withFilledAccount(values, empty, NO_ACCOUNT)
    const isOpened = props.replaced !== null && isSame(values, initial)
    leave(isWorthKeeping(values) && !isUntouched(typed) && !isOpened ? [...others, typed] : others)
    put(withFilledAccount(offered, NO_ACCOUNT, empty))
  }

  return (
    <Notice
      tone="info"
      announce
      title={<Trans>Раніше введені дані замінено</Trans>}
      actions={
        <>
          <Button size="small" onClick={() => giveBack(latest)}>
            <Trans>Повернути введене</Trans>
          </Button>
          <Button size="small" variant="quiet" onClick={() => leave(others)}>
            <Trans>Не повертати</Trans>
          </Button>
        </>
      }
    >
      {latest.clientName || latest.purpose}
    </Notice>
  )
}
