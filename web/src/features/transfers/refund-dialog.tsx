import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'

import { ordersKey } from '@/api/orders'
import { DialogForm } from '@/forms/dialog-form'
import { NotDone } from '@/forms/failed'
import { announce } from '@/ui/live-region'

interface RefundDialogProps {
  readonly open: boolean
  readonly onClose: () => void
  /** Names what is given back. */
  readonly what: string
  readonly refund: () => Promise<unknown>
}

/** Asks before money is given back to the card: afterwards it can't be sent again. */
export function RefundDialog({ open, onClose, what, refund }: RefundDialogProps) {
  const { t } = useLingui()
  const queryClient = useQueryClient()
  const readAgain = () => queryClient.invalidateQueries({ queryKey: ordersKey.all })
  const asking = useMutation({
    mutationFn: refund,
    // Also after a refusal: something was decided meanwhile.
    onError: () => void readAgain(),
    onSuccess: async () => {
      await readAgain()
      announce(t`Запит на повернення на картку подано`)
      onClose()
    },
  })
  return (
    <DialogForm
      open={open}
      onClose={onClose}
      title={t`Повернути кошти на картку клієнта?`}
      busy={asking.isPending}
      variant="primary"
      submit={<Trans>Повернути на картку</Trans>}
      cancel={<Trans>Скасувати</Trans>}
      onSubmit={() => asking.mutate()}
    >
      <p>{what}</p>
      <p className="mt-2">
        <Trans>
          Кошти повернуться на картку, якою сплачено замовлення. Надіслати їх отримувачу повторно вже не можна
          буде. Комісія не повертається.
        </Trans>
      </p>
      <NotDone
        failure={asking.error}
        unknown={<Trans>Невідомо, чи подано запит на повернення</Trans>}
        again={<Trans>Натисніть кнопку ще раз: двічі кошти не повертаються.</Trans>}
        className="mt-4"
      />
    </DialogForm>
  )
}
