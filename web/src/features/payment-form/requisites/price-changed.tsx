import { Trans } from '@lingui/react/macro'

import { formatHryvnias } from '@/lib/money'
import { useLocale } from '@/lib/use-locale'
import { Button } from '@/ui/button'
import { Notice } from '@/ui/notice'

import type { NewPrice } from '../new-price'
import type { ShownPrice } from '../read-payment'

interface PriceChangedProps {
  readonly shown: ShownPrice | null
  readonly price: NewPrice
  readonly adding: boolean
  /** The payment is in the cart already and is being changed. */
  readonly edits?: boolean
  readonly onAccept: () => void
  readonly onRefuse: () => void
}

/** Shows the new price and asks whether to add or save the payment at it. */
export function PriceChanged({ shown, price, adding, edits = false, onAccept, onRefuse }: PriceChangedProps) {
  const locale = useLocale()
  const before = shown === null ? null : formatHryvnias(shown.sum, locale)
  const sum = formatHryvnias(price.sum, locale)
  const amount = formatHryvnias(price.amount, locale)
  const commission = formatHryvnias(price.commission, locale)
  return (
    <Notice
      tone="warn"
      announce
      title={<Trans>Сума змінилася</Trans>}
      actions={
        <>
          <Button variant="primary" size="small" loading={adding} onClick={onAccept}>
            {edits ? <Trans>Зберегти за {sum}</Trans> : <Trans>Додати за {sum}</Trans>}
          </Button>
          <Button size="small" onClick={onRefuse}>
            {edits ? <Trans>Не зберігати</Trans> : <Trans>Не додавати</Trans>}
          </Button>
        </>
      }
    >
      {before !== null && (
        <p>
          <Trans>На екрані було показано {before}.</Trans>
        </p>
      )}
      <p>
        <Trans>
          Сьогодні: {amount} і комісія {commission}, разом {sum}.
        </Trans>
      </p>
    </Notice>
  )
}
