import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { queryClient } from '@/api/query-client'
import { saveProfile, userQuery, type ProfileRequest, type User } from '@/api/user'
import { draftOf } from '@/forms/draft'
import { useForm, type Form } from '@/forms/use-form'
import { ibanSlip } from '@/lib/iban-slip'
import { showToast } from '@/ui/toast'
import { profileDraft, useProfileDraft } from './draft'
import { readProfile } from './read-profile'
import { following, isSaved, valuesOf, type ProfileValues } from './values'

/** The state of the form, which follows what other tabs have saved. */
export function useProfileForm(user: User) {
  const { t } = useLingui()
  const [saved, setSaved] = useState(() => valuesOf(user))
  const form: Form<ProfileValues, ProfileRequest> = useForm({
    name: 'profile',
    initial: () => ({ ...saved, ...draftOf(profileDraft, user.id) }),
    read: readProfile,
    submit: async (request: ProfileRequest) => {
      const answer = await saveProfile(request)
      // A request that is under way would answer with the earlier profile.
      await queryClient.cancelQueries({ queryKey: userQuery().queryKey })
      return answer
    },
    onSent: (answer, _request, sent) => {
      queryClient.setQueryData(userQuery().queryKey, answer)
      setSaved(valuesOf(answer))
      // Changes made while the request was on its way are not saved yet: they stay.
      form.change((current) => following(current, sent, valuesOf(answer)))
      showToast({ text: t`Зміни збережено!` })
    },
    errorText: (key, field, typed) =>
      field === 'iban' && key === 'iban_invalid' ? ibanSlip(typed.iban) : null,
    hasSummary: true,
    isFailureOverOnEdit: true,
  })
  const { values } = form
  useProfileDraft(user.id, values, saved)

  // The profile is saved as a whole. Fields that another tab has changed must be updated here; saving would otherwise restore
  // their old values.
  const [seen, setSeen] = useState(user)
  if (seen !== user) {
    const now = valuesOf(user)
    setSeen(user)
    setSaved(now)
    form.change((current) => following(current, saved, now))
  }

  return { form, changed: !isSaved(values, saved) }
}
