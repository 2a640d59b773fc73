import { saveOrderAct } from '@/api/notarial-act'
import { queryClient } from '@/api/query-client'
import { userQuery } from '@/api/user'
import { draftOf, forgetDraft } from '@/forms/draft'

import { actDraft, actOf, storableAct, textOf } from './act'

/**
 * Saves with an order what could not be saved of the notarial act while its payments were in the cart. What still can't be saved is
 * offered where the order is opened in this tab.
 */
export async function saveLateAct(orderId: string): Promise<void> {
  const draft = actDraft(orderId)
  const kept = draftOf(draft, queryClient.getQueryData(userQuery().queryKey)?.id ?? null)
  if (kept === null) return
  const wanted = storableAct(kept.typed, kept.over)
  const stored = textOf(wanted) === textOf(kept.over) ? wanted : await saveOrderAct(orderId, wanted)
  if (textOf(stored) === textOf(actOf(kept.typed))) forgetDraft(draft)
}
