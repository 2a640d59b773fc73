import { useMemo } from 'react'
import { useDraft, type DraftKey } from '@/forms/draft'
import { changesOf, isSaved, type ProfileValues } from './values'

/** The unsaved changes. They may hold a full card number for a moment, so they stay in memory. */
export const profileDraft: DraftKey<Partial<ProfileValues>> = { name: 'profile', asksBeforeLeaving: true }

/** Keeps the unsaved changes. */
export function useProfileDraft(notaryId: string, values: ProfileValues, saved: ProfileValues): void {
  const changes = useMemo(() => (isSaved(values, saved) ? null : changesOf(values, saved)), [values, saved])
  useDraft(profileDraft, notaryId, changes)
}
