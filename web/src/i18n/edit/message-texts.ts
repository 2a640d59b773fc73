/** The texts of the message keys of changing a payment of the cart. */
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { MessageKey } from '@/api/failure'

export const editTexts = {
  cart_item_gone: msg({
    id: 'cart_item_gone',
    message: 'Цей платіж уже замовлено або видалено з кошика. Зміни не збережено',
  }),
  cart_item_changed: msg({
    id: 'cart_item_changed',
    message: 'Цей платіж тим часом змінено в іншій вкладці або на іншому пристрої. Ваші зміни не збережено',
  }),
} satisfies Partial<Record<MessageKey, MessageDescriptor>>
