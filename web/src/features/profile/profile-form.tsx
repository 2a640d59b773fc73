import { Trans, useLingui } from '@lingui/react/macro'
import { useBlocker } from '@tanstack/react-router'
import { session } from '@/api/session'
import type { User } from '@/api/user'
import { forgetDraft } from '@/forms/draft'
import { Failed } from '@/forms/failed'
import { civilDate, kyivDate } from '@/lib/dates'
import { formatPhone } from '@/lib/phone'
import { Button } from '@/ui/button'
import { ErrorSummary } from '@/ui/error-summary'
import { Sheet } from '@/ui/sheet'
import { profileDraft } from './draft'
import { LeaveDialog } from './leave-dialog'
import { ContactFields, PaymentFields, RegistryFields, type FieldBinding } from './profile-fields'
import { useProfileForm } from './use-profile-form'

/** The form of the notary's own data. */
export function ProfileForm({ user }: { readonly user: User }) {
  const { t } = useLingui()
  const { form, changed } = useProfileForm(user)
  const leaving = useBlocker({
    // A session that has ended leads to the login; the draft keeps the changes.
    shouldBlockFn: () => changed && session.state.status === 'signed-in',
    // `useProfileDraft` asks.
    enableBeforeUnload: false,
    withResolver: true,
  })

  const { failure } = form
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
              <Failed failure={failure} />
              <Button type="submit" variant="primary" loading={form.busy}>
                <Trans>Зберегти</Trans>
              </Button>
            </div>
          </div>
        }
      >
        <div className="flex flex-col gap-10">
          <RegistryFields bind={bind} user={user} />
          <ContactFields bind={bind} phone={formatPhone(user.phone)} />
          <PaymentFields bind={bind} status={user.notary_status} />
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
