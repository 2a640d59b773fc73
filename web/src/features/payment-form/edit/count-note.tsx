import { Trans } from '@lingui/react/macro'

import { formatHryvnias, times } from '@/lib/money'
import { useLocale } from '@/lib/use-locale'

import type { ShownPrice } from '../read-payment'

interface CountNoteProps {
  readonly count: number
  readonly price: ShownPrice | null
}

/** Says how many units there are in the cart, which the form does not change, and what they come to. */
export function CountNote({ count, price }: CountNoteProps) {
  const locale = useLocale()
  if (price === null) {
    return (
      <p className="text-sm text-ink-soft">
        <Trans>Кількість у кошику: {count}.</Trans>
      </p>
    )
  }
  const total = formatHryvnias(times(price.sum, count), locale)
  return (
    <p className="text-sm text-ink-soft">
      <Trans>
        Кількість у кошику: {count}, разом {total}.
      </Trans>
    </p>
  )
}
