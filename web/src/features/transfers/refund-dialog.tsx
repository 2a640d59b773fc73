import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'

import { Refusal } from '@/api/failure'
import { ordersKey } from '@/api/orders'
import { failureText } from '@/i18n/message-texts'
import { Button } from '@/ui/button'
import { Dialog } from '@/ui/dialog'
import { announce } from '@/ui/live-region'
import { Notice } from '@/ui/notice'

interface RefundDialogProps {
  readonly open: boolean
  readonly onClose: () => void
  /** Names what is given back. */
  readonly what: string
  readonly refund: () => Promise<unknown>
}

/** Asks before money is given back to the card: afterwards it can't be sent again. */
export function RefundDialog({ open, onClose, what, refund }: RefundDialogProps) {
  const { t, i18n } = useLingui()
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
    <Dialog
      open={open}
      onClose={onClose}
      closable={!asking.isPending}
      title={t`Повернути кошти на картку клієнта?`}
      actions={
        <>
          <Button variant="primary" loading={asking.isPending} onClick={() => asking.mutate()}>
            <Trans>Повернути на картку</Trans>
          </Button>
          {!asking.isPending && (
            <Button onClick={onClose}>
              <Trans>Скасувати</Trans>
            </Button>
          )}
        </>
      }
    >
      <p>{what}</p>
      <p className="mt-2">
        <Trans>
          Кошти повернуться на картку, якою сплачено замовлення. Надіслати їх отримувачу повторно вже не можна
          буде. Комісія не повертається.
        </Trans>
      </p>
      {asking.error !== null &&
        (asking.error instanceof Refusal ? (
          <Notice tone="error" className="mt-4">
            {failureText(asking.error, i18n)}
          </Notice>
        ) : (
          <Notice
            tone="error"
            className="mt-4"
            title={<Trans>Невідомо, чи подано запит на повернення</Trans>}
          >
            {failureText(asking.error, i18n)}.{' '}
            <Trans>Натисніть кнопку ще раз: двічі кошти не повертаються.</Trans>
          </Notice>
        ))}
    </Dialog>
  )
}
