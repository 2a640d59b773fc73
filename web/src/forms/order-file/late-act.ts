import { knownConfig } from '@/api/config'
import { saveOrderAct } from '@/api/notarial-act'
import { loadOrder } from '@/api/orders'
import { queryClient } from '@/api/query-client'
import { userQuery } from '@/api/user'
import { draftOf, forgetDraft } from '@/forms/draft'

import { actDraft, actOf, following, storableAct, textOf } from './act'

/**
 * Saves with an order what could not be saved of the notarial act while its payments were in the cart. What still can't be saved is
 * offered where the order is opened in this tab.
 */
export async function saveLateAct(orderId: string): Promise<void> {
  const draft = actDraft(orderId)
  const kept = draftOf(draft, queryClient.getQueryData(userQuery().queryKey)?.id ?? null)
  if (kept === null) return
  // Another window may have paid, and saved more of the act.
  const { act } = await loadOrder(orderId, false)
  const typed = following(kept.typed, kept.typed, kept.over, act)
  const wanted = storableAct(typed, act, knownConfig()?.register_number ?? null)
  const stored = textOf(wanted) === textOf(act) ? act : await saveOrderAct(orderId, wanted)
  if (textOf(stored) === textOf(actOf(typed))) forgetDraft(draft)
}
