import { Trans, useLingui } from '@lingui/react/macro'
import { useBlocker } from '@tanstack/react-router'
import { useEffect, useState, type FormEvent } from 'react'
import { isFailure, type MessageKey } from '@/api/failure'
import { queryClient } from '@/api/query-client'
import { session } from '@/api/session'
import { saveProfile, userQuery, type User } from '@/api/user'
import { failureText, messageText } from '@/i18n/message-texts'
import { askBeforeLeaving } from '@/lib/ask-before-leaving'
import { civilDate, kyivDate } from '@/lib/dates'
import { ibanSlip } from '@/lib/iban-slip'
import { Button } from '@/ui/button'
import { ErrorSummary } from '@/ui/error-summary'
import { Notice } from '@/ui/notice'
import { Sheet } from '@/ui/sheet'
import { showToast } from '@/ui/toast'
import { profileDraft } from './draft'
import { LeaveDialog } from './leave-dialog'
import { ContactFields, PaymentFields, RegistryFields, type FieldBinding } from './profile-fields'
import { formatPhone } from './phone'
import { profileErrors, standingErrors, type ProfileErrors } from './rules'
import {
  changesOf,
  following,
  profileFields,
  requestOf,
  valuesOf,
  type ProfileField,
  type ProfileValues,
} from './values'

const fieldId = (field: ProfileField) => `profile-${field}`

function same(one: ProfileValues, other: ProfileValues): boolean {
  return profileFields.every((field) => one[field] === other[field])
}

/** The notary's own data: what the form shows is what the server has, until something is changed and saved. */
export function ProfileForm({ user }: { readonly user: User }) {
  const { t } = useLingui()
  const [saved, setSaved] = useState(() => valuesOf(user))
  const [values, setValues] = useState(() => ({ ...saved, ...profileDraft.of(user.id) }))
  const [errors, setErrors] = useState<ProfileErrors>({})
  const [attempt, setAttempt] = useState(0)
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const changed = !same(values, saved)

  // The card is saved as a whole: what another tab has changed must not come back from here as it was.
  const [seen, setSeen] = useState(user)
  if (seen !== user) {
    const now = valuesOf(user)
    setSeen(user)
    setSaved(now)
    setValues(following(values, saved, now))
  }

  const leaving = useBlocker({
    // A session that has ended must lead to the login: what was typed waits in the draft.
    shouldBlockFn: () => changed && session.state.status === 'signed-in',
    // Asked about below, as wherever something would be lost.
    enableBeforeUnload: false,
    withResolver: true,
  })
  useEffect(() => (changed ? askBeforeLeaving() : undefined), [changed])
  useEffect(() => {
    if (changed) profileDraft.keep(user.id, changesOf(values, saved))
    else profileDraft.forget()
  }, [changed, user.id, values, saved])

  function change(field: ProfileField, typed: string) {
    const next = { ...values, [field]: typed }
    setValues(next)
    setErrors((shown) => standingErrors(shown, values, next))
    setFailure(null)
  }

  function show(found: ProfileErrors) {
    setErrors(found)
    setAttempt(attempt + 1)
  }

  async function save(event: FormEvent) {
    event.preventDefault()
    if (busy) return
    const broken = profileErrors(values)
    setFailure(null)
    if (Object.keys(broken).length > 0) return show(broken)

    setErrors({})
    setBusy(true)
    try {
      const answer = await saveProfile(requestOf(values))
      // An answer that was asked for before would put back what has just been changed.
      await queryClient.cancelQueries({ queryKey: userQuery().queryKey })
      queryClient.setQueryData(userQuery().queryKey, answer)
      setSaved(valuesOf(answer))
      // What was typed while the answer was on its way is not saved yet.
      setValues((current) => following(current, values, valuesOf(answer)))
      showToast({ text: t`Зміни збережено!` })
    } catch (error) {
      refuse(error)
    } finally {
      setBusy(false)
    }
  }

  function refuse(error: unknown) {
    const refused = isFailure(error) && error.kind === 'refusal' ? error.errors : {}
    const known: ProfileErrors = {}
    for (const field of profileFields) {
      const key = refused[field]?.[0]
      if (key !== undefined) known[field] = key
    }
    if (Object.keys(known).length > 0) show(known)
    else setFailure(failureText(error))
  }

  /** The words of a field's error; a slip in an account is named exactly. */
  function errorText(field: ProfileField, key: MessageKey): string {
    const slip = field === 'iban' && key === 'iban_invalid' ? ibanSlip(values.iban) : null
    return slip ?? messageText(key)
  }

  const bind: FieldBinding = (field) => {
    const key = errors[field]
    return {
      id: fieldId(field),
      name: field,
      value: values[field],
      onValueChange: (text) => change(field, text),
      error: key === undefined ? null : errorText(field, key),
    }
  }

  const created = civilDate(kyivDate(new Date(user.created_at)))
  const updated = civilDate(kyivDate(new Date(user.updated_at)))

  return (
    <form noValidate onSubmit={(event) => void save(event)} className="flex flex-col gap-6">
      <ErrorSummary
        attempt={attempt}
        errors={profileFields.flatMap((field) => {
          const key = errors[field]
          return key === undefined ? [] : [{ fieldId: fieldId(field), message: errorText(field, key) }]
        })}
      />
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
              {failure !== null && <Notice tone="error">{failure}</Notice>}
              <Button type="submit" variant="primary" loading={busy}>
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
          profileDraft.forget()
          leaving.proceed?.()
        }}
      />
    </form>
  )
}
