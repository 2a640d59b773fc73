import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'

import { cartQuery, refreshCartItem, type CartItem } from '@/api/cart'
import { cartCountQuery } from '@/api/cart-count'
import { failureText, messageText } from '@/i18n/message-texts'
import { formatHryvnias, fromHryvnias } from '@/lib/money'
import { useLocale } from '@/lib/use-locale'
import { Button, buttonClass } from '@/ui/button'
import { announce } from '@/ui/live-region'
import { Notice } from '@/ui/notice'

import { todaysUnitPrice } from './model'
import type { Removal } from './use-removal'

interface ItemChangeProps {
  readonly item: CartItem
  readonly change: NonNullable<CartItem['change']>
  readonly removal: Removal
  /** Called as soon as today's price is accepted. The notice disappears then. */
  readonly onAccepted: () => void
}

/** Explains why the item cannot be paid as it was added, and offers today's price if there is one. */
export function ItemChange({ item, change, removal, onAccepted }: ItemChangeProps) {
  const { i18n } = useLingui()
  const locale = useLocale()
  const today = todaysUnitPrice(item)
  const before = formatHryvnias(fromHryvnias(item.sum_full), locale)
  const after = today === null ? null : formatHryvnias(today, locale)
  const refresh = useTodaysPrice(item.id, after ?? '', onAccepted)
  const hasNewAccount = change.message === 'requisite_expired' && after !== null
  return (
    <Notice
      tone="warn"
      title={hasNewAccount ? <Trans>Рахунок отримувача змінився</Trans> : messageText(change.message, i18n)}
      actions={
        <>
          {after === null ? (
            <Link to="/cart/item/$id" params={{ id: item.id }} className={buttonClass({ size: 'small' })}>
              <Trans>Змінити платіж</Trans>
            </Link>
          ) : (
            <Button
              size="small"
              variant="primary"
              loading={refresh.isPending}
              onClick={() => refresh.mutate()}
            >
              <Trans>Прийняти {after}</Trans>
            </Button>
          )}
          <Button
            size="small"
            loading={removal.busy.has(item.id)}
            onClick={() => void removal.remove(item.id)}
          >
            <Trans>Видалити з кошика</Trans>
          </Button>
        </>
      }
    >
      {hasNewAccount && (
        <p>
          <Trans>Кошти надійдуть на його новий рахунок.</Trans>
        </p>
      )}
      {after !== null && after !== before && (
        <p>
          <Trans>
            Було {before}, сьогодні – {after}.
          </Trans>
        </p>
      )}
      {refresh.error !== null && (
        <p role="alert" className="text-danger">
          {failureText(refresh.error, i18n)}
        </p>
      )}
    </Notice>
  )
}

/** Accepts today's price. `accepted`: that price as a text. */
function useTodaysPrice(itemId: string, accepted: string, onAccepted: () => void) {
  const { t } = useLingui()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => refreshCartItem(itemId),
    onSuccess: (cart) => {
      onAccepted()
      // An older answer must not overwrite the new cart.
      void queryClient.cancelQueries({ queryKey: cartQuery().queryKey })
      queryClient.setQueryData(cartQuery().queryKey, cart)
      queryClient.setQueryData(cartCountQuery().queryKey, cart.items_count)
      announce(t`Прийнято: ${accepted}`)
    },
  })
}
