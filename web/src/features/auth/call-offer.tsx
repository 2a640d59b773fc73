import { Trans } from '@lingui/react/macro'
import { Button } from '@/ui/button'
import { Notice } from '@/ui/notice'

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
        Увійти можна й за дзвінком: ми зателефонуємо на цей номер, прийміть дзвінок і натисніть 1.
      </Trans>
    </Notice>
  )
}
