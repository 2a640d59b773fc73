import { useLingui } from '@lingui/react/macro'

import { formatHryvnias } from '@/lib/money'
import type { SumParts } from '@/lib/sum-parts'
import { useLocale } from '@/lib/use-locale'

/** How a sum to pay is made up: what the recipients get, and the commission. */
export function useSumPartsText(): (parts: SumParts) => string {
  const { t } = useLingui()
  const locale = useLocale()
  return (parts) => {
    const amount = formatHryvnias(parts.amount, locale)
    const commission = formatHryvnias(parts.commission, locale)
    return t`Отримувачам ${amount}, комісія ${commission}`
  }
}
