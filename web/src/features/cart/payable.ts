import { useLingui } from '@lingui/react/macro'

import { contentsOf } from '@/api/cart'
import { transfersOf } from '@/lib/cart-transfers'
import type { PayableGroup } from '@/lib/payable-group'

import type { CartSection } from './model'
import type { ItemCounts } from './use-item-count'
import type { Removal } from './use-removal'

/** Returns a function that says what the Pay buttons need of a client's payments, and why they cannot be paid now. */
export function usePayable(counts: ItemCounts, removal: Removal): (section: CartSection) => PayableGroup {
  const { t } = useLingui()
  const toMend = ({ items }: CartSection) => {
    if (items.some(({ change }) => change !== null))
      return t`Спершу виправте або видаліть платежі з позначкою`
    const isWrong = items.some(({ id }) => counts.typed.has(id) && !counts.busy.has(id))
    return isWrong ? t`Виправте кількість` : null
  }
  const isSaved = ({ items }: CartSection) =>
    items.every(({ id }) => !counts.busy.has(id) && !removal.busy.has(id))
  return (section) => {
    const { client, items, amount, parts } = section
    const mended = toMend(section)
    return {
      clientId: client.id,
      clientName: client.full_name,
      contents: contentsOf(items),
      sum: amount,
      parts,
      transfers: transfersOf(items),
      disabledReason: mended ?? (isSaved(section) ? null : t`Зберігаємо зміни…`),
      held: mended !== null,
    }
  }
}
