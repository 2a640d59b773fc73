import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'

import { shownCard, type SavedCard } from '@/lib/saved-card'

/** The name of a saved card: its system and the last four digits. */
export function useCardName(): (card: SavedCard) => ReactNode {
  const { t } = useLingui()
  return (card) => {
    const { brand, last4 } = shownCard(card)
    return (
      <span>
        {brand ?? t`Картка`} <span aria-hidden="true">••••</span>{' '}
        <span className="tabular-nums">{last4}</span>
      </span>
    )
  }
}
