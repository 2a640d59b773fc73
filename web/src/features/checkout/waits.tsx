import { Trans } from '@lingui/react/macro'

import { Button } from '@/ui/button'
import { FullScreenWait } from '@/ui/full-screen-wait'

import type { Destination } from './outcome'
import type { Stage } from './use-checkout'

interface WaitsProps {
  readonly stage: Stage
  readonly hasPopup: boolean
  /** Ends the wait at once, where the way leads back to the cart. */
  readonly onStay: () => void
}

/** Covers the page while an order is asked for without a popup, and on the way to where it leads. */
export function Waits({ stage, hasPopup, onStay }: WaitsProps) {
  if (stage.kind === 'leaving') return <Leaving to={stage.to} onStay={onStay} />
  return stage.kind === 'paying' && !hasPopup ? <Asking repeating={stage.repeating} /> : null
}

/** The legacy flow has no popup, so this blocks the page until the answer arrives. */
function Asking({ repeating }: { readonly repeating: boolean }) {
  return (
    <FullScreenWait title={<Trans>Створюємо замовлення…</Trans>}>
      {repeating ? (
        <Trans>Зв’язок перервався. Перевіряємо, чи створено замовлення. Не сплачуйте вдруге.</Trans>
      ) : (
        <Trans>Не закривайте вкладку: сторінка банку відкриється за мить.</Trans>
      )}
    </FullScreenWait>
  )
}

interface LeavingProps extends Pick<WaitsProps, 'onStay'> {
  readonly to: Destination['kind']
}

function Leaving({ to, onStay }: LeavingProps) {
  switch (to) {
    case 'bank':
      return (
        <FullScreenWait title={<Trans>Переходимо на захищену сторінку оплати…</Trans>}>
          <Trans>Не закривайте вкладку: сторінка банку відкриється за мить.</Trans>
        </FullScreenWait>
      )
    case 'archive':
      return (
        <FullScreenWait title={<Trans>Платіж прийнято, переходимо до архіву…</Trans>}>
          <Trans>В архіві видно статус замовлення, а після оплати – квитанції.</Trans>
        </FullScreenWait>
      )
    case 'cart':
      return (
        <FullScreenWait
          title={<Trans>Платіж прийнято, повертаємося до кошика…</Trans>}
          action={
            <Button onClick={onStay}>
              <Trans>Залишитися в кошику</Trans>
            </Button>
          }
        >
          <Trans>У кошику ще є платежі інших клієнтів.</Trans>
        </FullScreenWait>
      )
    case 'declined':
      return <FullScreenWait title={<Trans>Оплата не пройшла, відкриваємо замовлення…</Trans>} />
    case 'order':
      return <FullScreenWait title={<Trans>Відкриваємо замовлення…</Trans>} />
  }
}
