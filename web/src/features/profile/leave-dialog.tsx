import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '@/ui/button'
import { Dialog } from '@/ui/dialog'

interface LeaveDialogProps {
  readonly open: boolean
  readonly onStay: () => void
  readonly onLeave: () => void
}

/** Asks before unsaved changes are lost. */
export function LeaveDialog({ open, onStay, onLeave }: LeaveDialogProps) {
  const { t } = useLingui()
  return (
    <Dialog
      open={open}
      onClose={onStay}
      title={t`Залишити сторінку без збереження?`}
      actions={
        <>
          <Button variant="primary" onClick={onStay}>
            <Trans>Повернутися до форми</Trans>
          </Button>
          <Button variant="danger" onClick={onLeave}>
            <Trans>Залишити без збереження</Trans>
          </Button>
        </>
      }
    >
      <p>
        <Trans>Зміни ще не збережено. Якщо залишити сторінку зараз, їх буде втрачено.</Trans>
      </p>
    </Dialog>
  )
}
