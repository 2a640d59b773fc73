import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { Button } from '@/ui/button'
import { Notice } from '@/ui/notice'
import { offersCall } from './offers-call'

interface CallOfferProps {
  readonly busy: boolean
  readonly onCall: () => void
}

/** Leads on by a call where no message can be sent. */
export function CallOffer({ busy, onCall }: CallOfferProps) {
  return (
    <Notice
      tone="info"
      announce
      actions={
        <Button size="small" icon="phone" loading={busy} onClick={onCall}>
          <Trans>Зателефонувати мені</Trans>
        </Button>
      }
    >
      <Trans>
        Увійти можна й за дзвінком: ми зателефонуємо на цей номер, прийміть дзвінок і натисніть те, що покаже
        сторінка.
      </Trans>
    </Notice>
  )
}

interface CallOfferAfterProps {
  /** Why no code was sent. */
  readonly failure: unknown
  readonly call: () => Promise<void>
}

/** Offers a call if the failure leaves one. */
export function CallOfferAfter({ failure, call }: CallOfferAfterProps) {
  const [busy, setBusy] = useState(false)
  if (!offersCall(failure)) return null

  async function ask() {
    setBusy(true)
    await call()
    setBusy(false)
  }
  return <CallOffer busy={busy} onCall={() => void ask()} />
}
