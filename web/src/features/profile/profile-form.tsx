import { Trans, useLingui } from '@lingui/react/macro'
import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'
import { queryClient } from '@/api/query-client'
import { session } from '@/api/session'
import { saveProfile, userQuery, type ProfileRequest, type User } from '@/api/user'
import { draftOf, forgetDraft } from '@/forms/draft'
import { useForm, type Form } from '@/forms/use-form'
import { failureText } from '@/i18n/message-texts'
import { civilDate, kyivDate } from '@/lib/dates'
import { ibanSlip } from '@/lib/iban-slip'
import { formatPhone } from '@/lib/phone'
import { Button } from '@/ui/button'
import { ErrorSummary } from '@/ui/error-summary'
import { Notice } from '@/ui/notice'
import { Sheet } from '@/ui/sheet'
import { showToast } from '@/ui/toast'
import { profileDraft, useProfileDraft } from './draft'
import { LeaveDialog } from './leave-dialog'
import { ContactFields, PaymentFields, RegistryFields, type FieldBinding } from './profile-fields'
import { readProfile } from './read-profile'
import { following, isSaved, valuesOf, type ProfileValues } from './values'

/** The form of the notary's own data. */
export function ProfileForm({ user }: { readonly user: User }) {
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
  const { values, failure } = form
  const changed = !isSaved(values, saved)
  useProfileDraft(user.id, values, saved)

  // The profile is saved as a whole. Fields that another tab has changed must follow, or they would be put back.
  const [seen, setSeen] = useState(user)
  if (seen !== user) {
    const now = valuesOf(user)
    setSeen(user)
    setSaved(now)
    form.change((current) => following(current, saved, now))
  }

  const leaving = useBlocker({
    // A session that has ended leads to the login; the draft keeps the changes.
    shouldBlockFn: () => changed && session.state.status === 'signed-in',
    // `useProfileDraft` asks.
    enableBeforeUnload: false,
    withResolver: true,
  })

  const bind: FieldBinding = (field) => ({ ...form.text(field), name: field })
  const created = civilDate(kyivDate(new Date(user.created_at)))
  const updated = civilDate(kyivDate(new Date(user.updated_at)))

  return (
    <form noValidate onSubmit={form.submit} className="flex flex-col gap-6">
      <ErrorSummary attempt={form.attempt} errors={form.summary} />
      <Sheet
        heading={t`Дані реєстру`}
        foot={
          <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
            <p className="text-sm text-ink-soft tabular-nums">
              <Trans>
                Створено {created}, змінено {updated}
              </Trans>
            </p>
            <div className="flex flex-col items-start gap-3 max-sm:w-full max-sm:items-stretch">
              {failure !== null && <Notice tone="error">{failureText(failure)}</Notice>}
              <Button type="submit" variant="primary" loading={form.busy}>
                <Trans>Зберегти</Trans>
              </Button>
            </div>
          </div>
        }
      >
        <div className="flex flex-col gap-10">
          <RegistryFields bind={bind} />
          <ContactFields bind={bind} phone={formatPhone(user.phone)} />
          <PaymentFields bind={bind} />
        </div>
      </Sheet>
      <LeaveDialog
        open={leaving.status === 'blocked'}
        onStay={() => leaving.reset?.()}
        onLeave={() => {
          forgetDraft(profileDraft)
          leaving.proceed?.()
        }}
      />
    </form>
  )
}
