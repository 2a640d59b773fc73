import { api } from './client'

/** Reports an error in an item. Returns the number of the complaint. */
export const complainAboutCartItem = async (itemId: string, text: string, callBack: boolean) =>
  (await api.POST('/cart/item/complaint', { body: { cart_item_id: itemId, text, call_back: callBack } }))
    .number
