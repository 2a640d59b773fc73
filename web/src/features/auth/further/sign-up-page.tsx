import { Trans, useLingui } from '@lingui/react/macro'
import { Link, useNavigate } from '@tanstack/react-router'
import { startSignUp } from '@/api/login'
import { session } from '@/api/session'
import { GUEST, useDraft } from '@/forms/draft'
import { Button, buttonClass } from '@/ui/button'
import { ErrorSummary } from '@/ui/error-summary'
import { MaskedField } from '@/ui/masked-field'
import { registryIdentifierMask } from '@/ui/masks'
import { PhoneField } from '@/ui/phone-field'
import { TextField } from '@/ui/text-field'
import { Agreement } from '../agreement'
import { AuthSheet, QuietLine } from '../auth-sheet'
import { guestDraft, typedByGuest } from '../guest-draft'
import { readSignUp } from '../read'
import { signUpStepOf } from '../steps'
import { useAuthForm } from '../use-auth-form'

/** An error of the phone from the server is shown as a passing message, not as an error of the field. */
function fieldOf(wireName: string) {
  return wireName === 'full_name' || wireName === 'registry_identifier' || wireName === 'is_agreed'
    ? wireName
    : null
}

function useSignUpForm() {
  const navigate = useNavigate()
  return useAuthForm({
    name: 'sign-up',
    field: 'phone',
    initial: typedByGuest,
    read: readSignUp,
    submit: async (wish) => {
      const started = await startSignUp(wish)
      session.openSignUp(started.access_token)
      await navigate({ to: '/sign-up/otp', state: { signUpStep: signUpStepOf(started, wish) } })
    },
    fieldOf,
    hasSummary: true,
  })
}

export default function SignUpPage() {
  const { t } = useLingui()
  const { form, answer } = useSignUpForm()
  useDraft(guestDraft, GUEST, form.values)
  const phone = form.text('phone')

  return (
    <AuthSheet
      heading={<Trans>Реєстрація</Trans>}
      lead={<Trans>Для нотаріусів. Номер телефону підтвердимо кодом із SMS.</Trans>}
    >
      <form noValidate onSubmit={form.submit} className="flex flex-col gap-5">
        <ErrorSummary attempt={form.attempt} errors={form.summary} />
        <TextField
          {...form.text('full_name')}
          label={t`Прізвище, ім’я, по батькові`}
          name="full_name"
          autoComplete="name"
        />
        <PhoneField
          {...phone}
          label={t`Номер телефону`}
          name="phone"
          error={phone.error ?? answer.underField}
        />
        <MaskedField
          {...form.text('registry_identifier')}
          mask={registryIdentifierMask}
          label={t`Ідентифікатор у реєстрі`}
          hint={t`Від 4 до 15 літер і цифр, як у Єдиному реєстрі нотаріусів`}
          name="registry_identifier"
          autoComplete="off"
          spellCheck={false}
        />
        <Agreement {...form.flag('is_agreed')} />
        <div className="flex flex-col gap-3">
          <QuietLine>{answer.byButton}</QuietLine>
          <Button type="submit" variant="primary" wide loading={form.busy}>
            <Trans>Зареєструватися</Trans>
          </Button>
          <Link to="/login" className={buttonClass({ wide: true })}>
            <Trans>У мене вже є обліковий запис</Trans>
          </Link>
        </div>
      </form>
    </AuthSheet>
  )
}
