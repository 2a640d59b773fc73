import { Trans } from '@lingui/react/macro'

import type { components } from '@/api/schema'
import { civilDate } from '@/lib/dates'

type Part = components['schemas']['ReturnedPart']

interface AfterReturnProps {
  /** The number of the transfer that sends it again; a bank may not have it yet. */
  readonly again: number | null
  readonly part: Pick<Part, 'after' | 'to_card_on'> | undefined
  readonly className?: string
}

/** What was decided about a part that came back. */
export function AfterReturn({ again, part, className = '' }: AfterReturnProps) {
  const day = part?.to_card_on ? civilDate(part.to_card_on) : ''
  return (
    <p className={`font-semibold empty:hidden ${className}`}>
      {again !== null &&
        (part?.after === 'called_off' ? (
          <Trans>Переказ № {again} скасовано до передачі банку, кошти повернено на картку</Trans>
        ) : (
          <Trans>Замінено переказом № {again}</Trans>
        ))}
      {part?.after === 'refund_requested' && <Trans>Запит на повернення на картку подано {day}</Trans>}
      {part?.after === 'refunded' && <Trans>Повернено на картку {day}</Trans>}
    </p>
  )
}
