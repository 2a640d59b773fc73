import { isDefinite } from '@/api/definite'
import { Refusal } from '@/api/failure'
import { createOrder, loadOrder, type CreateOrderRequest, type Order, type OrderSummary } from '@/api/orders'
import type { SavedCard } from '@/api/saved-cards'
import { actDraftName } from '@/forms/act-draft-name'
import { renameDraft } from '@/forms/draft'
import { currentLocale } from '@/i18n/i18n'
import { toHryvnias } from '@/lib/money'
import type { PayableGroup } from '@/lib/payable-group'
import { wait } from '@/lib/wait'

import { isLost } from './outcome'
import { endPayIntent, isPayIntentOpen, renewPayIntent, restorePayIntent, sendPayIntent } from './pay-intent'

/** The client whose payments are paid, and the sum shown. */
export type PaidGroup = Omit<PayableGroup, 'disabledReason' | 'held'>

export type Method =
  | { readonly kind: 'saved-card'; readonly card: SavedCard }
  | { readonly kind: 'bank-page' }

/** The pauses before the retries of a lost answer. */
const REPEAT_AFTER_MS = [1000, 3000] as const

function requestOf({ clientId, sum }: PaidGroup, method: Method): CreateOrderRequest {
  return method.kind === 'saved-card'
    ? // The language of an order paid by a saved card is always Ukrainian (specification, point 4).
      {
        client_id: clientId,
        token_id: method.card.Token,
        pan: method.card.MaskPan,
        locale: 'uk',
        sum: toHryvnias(sum),
      }
    : { client_id: clientId, locale: currentLocale(), sum: toHryvnias(sum) }
}

/** One attempt. Its outcome is recorded as open before it is sent, so that a reload knows of it. */
async function tryOnce(group: PaidGroup, body: CreateOrderRequest): Promise<OrderSummary> {
  const intent = sendPayIntent(group)
  try {
    return await createOrder(body, intent.key)
  } catch (failure) {
    // A refusal settles its own attempt only; an earlier unanswered one stays open.
    if (failure instanceof Refusal) restorePayIntent(group, intent)
    throw failure
  }
}

/**
 * Creates the order. After a lost answer the request is repeated with the same key, which never creates a second order.
 */
async function createRepeatedly(
  group: PaidGroup,
  method: Method,
  onRepeat: () => void,
): Promise<OrderSummary> {
  const body = requestOf(group, method)
  for (const pause of REPEAT_AFTER_MS) {
    try {
      // The attempts must be sequential.
      // oxlint-disable-next-line no-await-in-loop
      return await tryOnce(group, body)
    } catch (failure) {
      if (!isLost(failure)) throw failure
      onRepeat()
      // oxlint-disable-next-line no-await-in-loop
      await wait(pause)
    }
  }
  return tryOnce(group, body)
}

/** The ids of the items in `contents`. An order has the ids of the items that it took from the cart. */
export const itemIds = (contents: string): ReadonlySet<string | undefined> =>
  new Set(contents.split(' ').map((item) => item.split('*')[0]))

/** The order, if it has taken payments of the group from the cart; null if it can't be read. */
async function takenBy(orderId: string, { contents }: PaidGroup): Promise<Order | 'others' | null> {
  const ids = itemIds(contents)
  try {
    const order = await loadOrder(orderId, false)
    return order.items.some(({ id }) => ids.has(id)) ? order : 'others'
  } catch {
    return null
  }
}

/** Gives the order what could not be saved of the notarial act while its payments were in the cart. */
async function takeAct({ clientId }: PaidGroup, orderId: string): Promise<void> {
  if (!renameDraft(actDraftName(clientId), actDraftName(orderId))) return
  await import('@/forms/order-file/load')
    .then(({ saveLateAct }) => saveLateAct(orderId))
    // It is offered where the order is opened in this tab.
    .catch(() => undefined)
}

export type CreatedOrder =
  | { readonly order: OrderSummary; readonly existing: false }
  /** The payments already belonged to this order, which was created in another tab. */
  | { readonly order: Order; readonly existing: true }

/**
 * Returns the only order of the group: created by this attempt, by an earlier one whose answer was lost, or in another tab.
 * `onRepeat` is called before each repeat of a request whose answer was lost.
 */
export async function createOnlyOrder(
  group: PaidGroup,
  method: Method,
  onRepeat: () => void,
): Promise<CreatedOrder> {
  try {
    const order = await createRepeatedly(group, method, onRepeat)
    await takeAct(group, order.id)
    return { order, existing: false }
  } catch (failure) {
    if (!(failure instanceof Refusal)) throw failure
    // The key has created an order with another card; a new key is answered with that order.
    if (failure.key === 'idempotency_key_reused') {
      renewPayIntent(group)
      return createOnlyOrder(group, method, onRepeat)
    }
    if (isDefinite(failure) && !isPayIntentOpen(group)) endPayIntent(group)
    const { order } = failure.extra
    if (failure.key !== 'cart_already_ordered' || !order) throw failure
    const taken = await takenBy(order.id, group)
    if (taken !== null && taken !== 'others') {
      await takeAct(group, taken.id)
      return { order: taken, existing: true }
    }
    // The server names the latest order of the client. If its payments are others, these have left the cart by another way.
    throw taken === null ? failure : new Refusal(404, 'cart_group_empty', {}, null, {})
  }
}
