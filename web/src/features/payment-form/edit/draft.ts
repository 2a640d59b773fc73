import { useMemo } from 'react'

import { useDraft, type DraftKey } from '@/forms/draft'

import { readValues } from '../draft'
import type { PaymentValues } from '../values'

export interface ItemDraft {
  /** What the item was when the form was filled with it. */
  readonly version: string
  readonly values: PaymentValues
}

/** The changes of an item that are not saved. They outlast a reload, apart from the draft of a new payment and of other items. */
export const itemDraft = (itemId: string): DraftKey<ItemDraft> => ({
  name: `draft item ${itemId}`,
  read: readItemDraft,
  asksBeforeLeaving: true,
})

/** Keeps changed values at every change; null where nothing is changed. */
export function useItemDraft(
  key: DraftKey<ItemDraft>,
  notaryId: string,
  version: string,
  values: PaymentValues | null,
): void {
  const draft = useMemo(() => (values === null ? null : { version, values }), [version, values])
  useDraft(key, notaryId, draft)
}

function readItemDraft(stored: unknown): ItemDraft | null {
  if (typeof stored !== 'object' || stored === null || !('values' in stored) || !('version' in stored))
    return null
  const { version } = stored
  const values = readValues(stored.values)
  return values === null || typeof version !== 'string' ? null : { version, values }
}
