import { draftOf, GUEST, type DraftKey } from '@/forms/draft'
import { phoneStart } from '@/ui/phone-format'

export interface SignUpValues {
  readonly full_name: string
  readonly phone: string
  readonly registry_identifier: string
  readonly is_agreed: boolean
}

/** What was typed at a login or a sign-up. Both pages share it. */
export const guestDraft: DraftKey<SignUpValues> = { name: 'guest', asksBeforeLeaving: false }

const EMPTY: SignUpValues = { full_name: '', phone: phoneStart, registry_identifier: '', is_agreed: false }

export function typedByGuest(): SignUpValues {
  return draftOf(guestDraft, GUEST) ?? EMPTY
}
