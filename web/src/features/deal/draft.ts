import { readIntent, type AddIntent } from '@/forms/add-intent'
import type { DraftKey } from '@/forms/draft'

import type { DealValues } from './values'

export interface DealDraft {
  readonly values: DealValues
  /** The intent while its request has no answer: the payments may be in the cart. */
  readonly intent: AddIntent | null
}

/** The deal that is being entered. It outlasts a reload. */
export const dealDraft: DraftKey<DealDraft> = { name: 'draft deal', read: readDraft, asksBeforeLeaving: true }

/** Returns null where the stored value is damaged. */
function readDraft(stored: unknown): DealDraft | null {
  if (typeof stored !== 'object' || stored === null || !('values' in stored) || !('intent' in stored))
    return null
  const intent = readIntent(stored.intent)
  const { values } = stored
  if (intent === undefined || typeof values !== 'object' || values === null) return null
  const isOfTexts = Object.values(values).every((value) => typeof value === 'string')
  return isOfTexts ? { values: values as DealValues, intent } : null
}
