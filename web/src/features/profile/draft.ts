import { session } from '@/api/session'
import type { ProfileValues } from './values'

/**
 * What was changed and not saved, for the case that the session ends meanwhile: given back to the same notary when she
 * has signed in again. Memory of this tab only; whoever leaves by choice leaves nothing behind.
 */
let kept: { readonly userId: string; readonly changes: Partial<ProfileValues> } | null = null

session.subscribe((_state, end) => {
  if (end === 'signed-out') kept = null
})

export const profileDraft = {
  keep: (userId: string, changes: Partial<ProfileValues>) => {
    kept = { userId, changes }
  },
  of: (userId: string) => (kept?.userId === userId ? kept.changes : null),
  forget: () => {
    kept = null
  },
}
