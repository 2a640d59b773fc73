import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '@/ui/button'
import { Dialog } from '@/ui/dialog'

interface LogoutDialogProps {
  readonly onStay: () => void
  readonly onLeave: () => void
}

/** Asks before a logout deletes what was typed in this tab, on whichever page. */
export function LogoutDialog({ onStay, onLeave }: LogoutDialogProps) {
  const { t } = useLingui()
  return (
    <Dialog
      open
      onClose={onStay}
      title={t`Вийти без збереження?`}
      actions={
        <>
          <Button variant="primary" onClick={onStay}>
            <Trans>Не виходити</Trans>
          </Button>
          <Button variant="danger" onClick={onLeave}>
            <Trans>Вийти без збереження</Trans>
          </Button>
        </>
      }
    >
      <p>
        <Trans>
          Дані, введені в цій вкладці, ще не збережено або не надіслано. Якщо вийти зараз, їх буде видалено.
        </Trans>
      </p>
    </Dialog>
  )
}
